import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

const ADDRESS = 'https://n8n.example.com/webhook-waiting/7?signature=abc';

type Answer = { statusCode: number; body: unknown } | Error;

/** What n8n answers, to each question one, as long as it runs. */
async function askedInTurn(answers: Answer[], pauseMs = 0) {
	const requests: IHttpRequestOptions[] = [];
	const helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest'> = {
		httpRequest: async (options) => {
			const answer = answers[Math.min(requests.length, answers.length - 1)];
			requests.push(options);
			if (answer instanceof Error) throw answer;
			return answer;
		},
	};
	const context = { helpers } as unknown as IExecuteFunctions;
	const areParked: boolean[] = [];
	// What was learned of one n8n does not hold for the next one.
	await jest.isolateModulesAsync(async () => {
		const { isParked } = await import('../../../nodes/Yuntongxun/callResult/parked');
		while (areParked.length < answers.length) {
			areParked.push(await isParked(context, ADDRESS));
			await jest.advanceTimersByTimeAsync(pauseMs);
		}
	});
	return { areParked, requests };
}

async function asked(answer: Answer) {
	const { areParked, requests } = await askedInTurn([answer]);
	return { isParked: areParked[0], requests };
}

const SILENCE = new Error('connect ECONNREFUSED');

beforeEach(() => {
	jest.useFakeTimers({ advanceTimers: true });
});
afterEach(() => {
	jest.useRealTimers();
});

it('asks n8n at the address, with a body that is no result', async () => {
	const { requests } = await asked({ statusCode: 400, body: '' });
	expect(requests).toEqual([
		{
			method: 'POST',
			url: ADDRESS,
			body: ' ',
			headers: { 'Content-Type': 'text/plain' },
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 5000,
		},
	]);
});

it.each([
	['409, n8n 2 is busy with it', 409, '{"message":"The execution \\"7\\" is running already."}'],
	['500, n8n 1 is busy with it', 500, '{"message":"There was a problem executing"}'],
	['503, n8n is starting', 503, ''],
	['429, there were too many', 429, ''],
	['502, a proxy found nobody', 502, ''],
	['504, a proxy heard nothing', 504, ''],
])('it is not: %s', async (_, statusCode, body) => {
	expect((await asked({ statusCode, body })).isParked).toBe(false);
});

it.each([
	['400, this node answers', 400, ''],
	['409, it has gone on and ended since', 409, 'The execution "7 has finished already.'],
	['404, it has gone on and was not kept', 404, 'The execution "7" does not exist.'],
	['409, it has gone on and ended badly', 409, 'The execution "7" has finished with error.'],
])('it is, or was: %s', async (_, statusCode, body) => {
	expect((await asked({ statusCode, body })).isParked).toBe(true);
});

it('it is taken to be where n8n cannot reach itself, which is not tried for ten minutes', async () => {
	const all = await askedInTurn([SILENCE, SILENCE, SILENCE], 4 * 60_000);
	expect(all.areParked).toEqual([true, true, true]);
	expect(all.requests).toHaveLength(1);
	const later = await askedInTurn([SILENCE, SILENCE], 10 * 60_000);
	expect(later.areParked).toEqual([true, true]);
	expect(later.requests).toHaveLength(2);
});

it('it is not where an n8n that has answered before is silent', async () => {
	const answers = [{ statusCode: 400, body: '' }, SILENCE, { statusCode: 400, body: '' }];
	const { areParked, requests } = await askedInTurn(answers);
	expect(areParked).toEqual([true, false, true]);
	expect(requests).toHaveLength(3);
});
