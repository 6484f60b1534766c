import { X509Certificate } from 'node:crypto';
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { startSimulator } from '../../simulator';
import { ensureCertificateAuthority, makeServerCertificate } from '../../simulator/certificate';
import { compactTime, readCompactTime, spacedTime } from '../../simulator/clock';
import { NOW, TIMESTAMP } from './client';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'simulator-ca-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the certificate authority', () => {
	test('is made once, with a key that only its owner reads', async () => {
		const made = await ensureCertificateAuthority(folder);
		expect(made.file).toBe(join(folder, 'ca.pem'));
		expect(readFileSync(made.file, 'utf8')).toBe(made.certificate);
		expect(made.certificate).not.toContain('PRIVATE');
		expect(statSync(join(folder, 'ca-key.pem')).mode & 0o777).toBe(0o600);
		expect(await ensureCertificateAuthority(folder)).toEqual(made);
		expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem']);
	});

	test('is the same for all who start at the same moment', async () => {
		const made = await Promise.all([1, 2, 3, 4].map(() => ensureCertificateAuthority(folder)));
		expect(new Set(made.map(({ certificate }) => certificate)).size).toBe(1);
	});

	test('is replaced if it is unusable', async () => {
		writeFileSync(join(folder, 'ca-key.pem'), 'rubbish');
		const made = await ensureCertificateAuthority(folder);
		expect(new X509Certificate(made.certificate).ca).toBe(true);
	});

	test('signs a certificate for the names of this machine', async () => {
		const authority = await ensureCertificateAuthority(folder);
		const made = new X509Certificate((await makeServerCertificate(authority)).certificate);
		expect(made.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
		expect(made.checkHost('localhost')).toBe('localhost');
		expect(made.checkIP('127.0.0.1')).toBe('127.0.0.1');
		expect(made.checkIP('::1')).toBe('::1');
		expect(made.checkHost('example.com')).toBeUndefined();
		expect(made.ca).toBe(false);
	});

	test('signs an expired one and one for another host, if asked to', async () => {
		const authority = await ensureCertificateAuthority(folder);
		const made = async (...defect: Parameters<typeof makeServerCertificate>) =>
			new X509Certificate((await makeServerCertificate(...defect)).certificate);
		const expired = await made(authority, 'expired');
		expect(Date.parse(expired.validTo)).toBeLessThan(Date.now());
		expect(expired.checkHost('localhost')).toBe('localhost');
		const other = await made(authority, 'otherHost');
		expect(Date.parse(other.validTo)).toBeGreaterThan(Date.now());
		expect(other.checkHost('localhost')).toBeUndefined();
		expect(other.checkIP('127.0.0.1')).toBeUndefined();
	});

	test('is not trusted by a client without it', async () => {
		const simulator = await startSimulator({ caFolder: folder });
		try {
			expect(existsSync(simulator.caFile)).toBe(true);
			const refused = await new Promise<Error>((resolve) => {
				const port = Number(new URL(simulator.url).port);
				connect({ port, host: '127.0.0.1', servername: 'localhost' }).on('error', resolve);
			});
			expect(refused).toMatchObject({ code: expect.stringMatching(/CERT|SIGNATURE/) });
		} finally {
			await simulator.stop();
		}
	});
});

test('a taken port is an error', async () => {
	const simulator = await startSimulator({ caFolder: folder });
	try {
		const port = Number(new URL(simulator.url).port);
		await expect(startSimulator({ caFolder: folder, port })).rejects.toMatchObject({
			code: 'EADDRINUSE',
		});
	} finally {
		await simulator.stop();
	}
});

describe('the time of the service', () => {
	test('is UTC+8', () => {
		expect(compactTime(NOW)).toBe(TIMESTAMP);
		expect(spacedTime(NOW)).toBe('2026-01-02 11:04:05');
		expect(readCompactTime(TIMESTAMP)).toBe(NOW);
		expect(compactTime(Date.UTC(2024, 1, 28, 16))).toBe('20240229000000');
	});

	test.each(['20230229000000', '20261301000000', '20260100000000', '2026010211040', '', 'x'])(
		'%j is no time',
		(text) => expect(readCompactTime(text)).toBeUndefined(),
	);
});
