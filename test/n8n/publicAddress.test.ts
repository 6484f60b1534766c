import { until } from '../harness/until';
import { Calls } from '../harness/callResults';
import { PublicAddress } from '../harness/publicAddress';
import { Startable, waitAndTell } from '../harness/waitWorkflows';
import { openWorld, versionsToTest, type World } from '../harness/world';
import './support/retry';

const START_LIMIT_MS = 20 * 60_000;

/** What a tunnel or a CDN adds to each answer. */
const DELAY_MS = 120;

/** The longest pause between two attempts to pass a result on. */
const LONGEST_PAUSE_MS = 30_000;
/** A minute of attempts in vain, and the pause they end in. */
const LOG_WITHIN_MS = 60_000 + 2 * LONGEST_PAUSE_MS;

/** n8n's endpoints, called something else. */
const RENAMED = {
	N8N_ENDPOINT_WEBHOOK: 'hooks',
	N8N_ENDPOINT_WEBHOOK_TEST: 'hooks-test',
	N8N_ENDPOINT_WEBHOOK_WAIT: 'hooks-paused',
};

describe.each(versionsToTest())('A public address in front of n8n %s', (version) => {
	describe('slow, with a prefix that a proxy strips and renamed endpoints', () => {
		let address: PublicAddress;
		let world: World;
		let relayed: Startable;
		const calls = new Calls(() => world);

		beforeAll(async () => {
			address = await PublicAddress.start('/phone', DELAY_MS);
			world = await openWorld(version, { env: { ...RENAMED, WEBHOOK_URL: address.url } });
			address.targets = [world.n8n.url];
			relayed = await Startable.activate(world, waitAndTell(world.credential));
		}, START_LIMIT_MS);
		afterAll(async () => {
			await world?.stop();
			await address?.stop();
		});
		beforeEach(() => {
			address.hairpin = 'open';
			address.ownRequests.length = 0;
		});
		afterEach(() => expect(world.simulator.violations()).toEqual([]));

		/** Starts executions that wait for a call, one each. */
		const placeCalls = async (workflow: Startable, count: number) =>
			await Promise.all(Array.from({ length: count }, async () => await calls.placeWith(workflow)));

		test('single calls resume without a request of n8n to that address', async () => {
			const definition = waitAndTell(world.credential, { hasTrigger: false });
			const placed = await placeCalls(await Startable.activate(world, definition), 5);
			expect(address.ownRequests).toEqual([]);
			for (const call of placed) {
				expect(call.respUrl).toMatch(`${address.url}hooks-paused/`);
				await calls.untilParked(call);
				await calls.send(call);
				expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
			}
			expect(address.ownRequests).toEqual([]);
		});

		test('calls whose results go through the trigger resume', async () => {
			for (const call of await placeCalls(relayed, 3)) {
				expect(call.respUrl).toMatch(new RegExp(`^${address.url}hooks/.*\\?yt=wait\\.`));
				expect(await calls.deliver(call)).toBe(200);
				expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
			}
			const [question, delivery] = address.ownRequests;
			expect(question).toMatch(/^\/phone\/hooks\/[\w-]+\/yuntongxun\?yt=ask\./);
			expect(delivery).toMatch(/^\/phone\/hooks-paused\/\d+\/yuntongxun-result\?/);
		});

		// What else can answer there is decided by test/unit/waiting/relay.
		test(
			'with a broken hairpin the log names the reason, and the results arrive later',
			async () => {
				const call = await calls.placeWith(relayed);
				address.hairpin = 'broken';
				expect(await calls.deliver(call)).toBe(200);
				const words = `own public address, N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.35) (ECONNRESET)`;
				await until('the log', () => world.n8n.log.includes(words) || undefined, {
					timeoutMs: LOG_WITHIN_MS,
				});
				await calls.areParked(call);
				address.hairpin = 'open';
				expect(await calls.told(call, 2 * LONGEST_PAUSE_MS)).toEqual([
					`completed ${call.userData}`,
				]);
			},
			LOG_WITHIN_MS + 4 * LONGEST_PAUSE_MS,
		);
	});

	const guarded = version.startsWith('1.') ? describe.skip : describe;
	guarded('with n8n’s own protection against requests to internal addresses', () => {
		let world: World;
		const calls = new Calls(() => world);

		beforeAll(async () => {
			// The service is at "localhost", n8n's public address at 127.0.0.1.
			const allowed = { N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost' };
			world = await openWorld(version, {
				env: { N8N_SSRF_PROTECTION_ENABLED: 'true', ...allowed },
			});
		}, START_LIMIT_MS);
		afterAll(async () => await world?.stop());

		test('a single call waits directly, since the trigger cannot be asked', async () => {
			const workflow = await Startable.activate(world, waitAndTell(world.credential));
			const call = await calls.placeWith(workflow);
			expect(call.respUrl).toContain('/webhook-waiting/');
			await calls.untilParked(call);
			expect(await calls.deliver(call)).toBe(200);
			expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
		});
	});
});
