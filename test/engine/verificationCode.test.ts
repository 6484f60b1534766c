import { issueCode } from '../support/sealing';
import { useDeduplication } from '../support/deduplication';
import { getJson, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();

afterEach(() => {
	expect(service.simulator.record.requests).toEqual([]);
});

const TO = '13800000000';
const CHECK = operation('verificationCode', 'check', {
	verificationToken: '={{ $json.token }}',
	code: '={{ $json.code }}',
});

const issued = () => issueCode(service.simulator.credentials, TO);

const verdict = (reason: string, attemptsLeft: number) => ({
	valid: reason === 'valid',
	reason,
	to: TO,
	attemptsLeft,
});

/** Another code, however often this is asked. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

it('runs of one node know what the runs before them took', async () => {
	const { token, code } = issued();
	const rounds = [wrong(code), code, code].map((typed) => ({ token, code: typed }));
	const runs = await service.loop(CHECK, rounds);
	expect(runs.map((each) => getJson(each)[0])).toEqual([
		verdict('wrong', 4),
		verdict('valid', 3),
		verdict('used', 0),
	]);
});
