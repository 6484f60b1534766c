import { ServiceFailure } from '../../../nodes/Yuntongxun/client/serviceFailure';

const FACTS = { summary: 'The number is not allowed', remedy: 'Add it in the console.' };

it('says what happened, the code and what to do', () => {
	const failure = new ServiceFailure({ ...FACTS, statusCode: '160040', statusMsg: '【短信】' });
	expect(failure.message).toBe('The number is not allowed (code 160040). Add it in the console.');
	expect(failure.facts.statusMsg).toBe('【短信】');
});

it('names no code where the service gave none', () => {
	const failure = new ServiceFailure({ ...FACTS, statusCode: '', statusMsg: '' });
	expect(failure.message).toBe('The number is not allowed. Add it in the console.');
});
