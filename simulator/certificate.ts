import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
	existsSync,
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate with its private key, both as PEM. */
export interface KeyedCertificate {
	readonly certificate: string;
	readonly key: string;
}

/** The authority that signs the simulator's certificates. */
export interface CertificateAuthority extends KeyedCertificate {
	/** The file with the certificate alone, for NODE_EXTRA_CA_CERTS. */
	readonly file: string;
}

/** Default folder of the authority. */
const DEFAULT_CA_FOLDER = resolve(
	process.env.SIMULATOR_CA_FOLDER ?? join(__dirname, '../.cache/simulator-ca'),
);

const DAY_MS = 24 * 60 * 60 * 1000;
const CA_DAYS = 3650;
const SERVER_DAYS = 365;

/** From and until so many days from now. */
const between = (first: number, last: number) => ({
	notBeforeDate: new Date(Date.now() + first * DAY_MS),
	notAfterDate: new Date(Date.now() + last * DAY_MS),
});

async function makeAuthority(): Promise<KeyedCertificate> {
	const made = await generate([{ name: 'commonName', value: 'Yuntongxun simulator CA' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		...between(-1, CA_DAYS),
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
		],
	});
	return { certificate: made.cert, key: made.private };
}

/** Splits a file with a key and a certificate; undefined if they are unusable. */
function readUsable(file: string): KeyedCertificate | undefined {
	if (!existsSync(file)) return undefined;
	const text = readFileSync(file, 'utf8');
	const mark = text.indexOf('-----BEGIN CERTIFICATE-----');
	const pair = { key: text.slice(0, mark), certificate: text.slice(mark) };
	try {
		const certificate = new X509Certificate(pair.certificate);
		const staysValid = Date.parse(certificate.validTo) > Date.now() + SERVER_DAYS * DAY_MS;
		const fits = certificate.checkPrivateKey(createPrivateKey(pair.key));
		return staysValid && fits ? pair : undefined;
	} catch {
		return undefined;
	}
}

/** Puts a file in its place, unless another process was first with a usable one. */
function linkUnlessThere(own: string, file: string): void {
	if (existsSync(file) && !readUsable(file)) rmSync(file);
	try {
		linkSync(own, file);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
}

/**
 * The authority of a folder; a new one if none is valid for another year.
 * Processes that start at the same moment get the same one.
 * @param folder created if missing; the file with the key gets mode 600
 */
export async function ensureCertificateAuthority(
	folder = DEFAULT_CA_FOLDER,
): Promise<CertificateAuthority> {
	mkdirSync(folder, { recursive: true });
	// Key and certificate share a file, so that they always belong together.
	const secret = join(folder, 'ca-key.pem');
	const file = join(folder, 'ca.pem');
	const own = join(folder, `.${process.pid}-${Date.now()}-${Math.random()}`);

	let authority = readUsable(secret);
	if (!authority) {
		const made = await makeAuthority();
		writeFileSync(own, `${made.key.trim()}\n${made.certificate.trim()}\n`, { mode: 0o600 });
		linkUnlessThere(own, secret);
		rmSync(own);
		authority = readUsable(secret);
	}
	if (!authority) throw new Error(`No certificate authority could be made in ${folder}`);

	if (!existsSync(file) || readFileSync(file, 'utf8') !== authority.certificate) {
		writeFileSync(own, authority.certificate);
		renameSync(own, file);
	}
	return { ...authority, file };
}

const OWN_NAMES = [
	{ type: 2 as const, value: 'localhost' },
	{ type: 7 as const, ip: '127.0.0.1' },
];

/** A server certificate for this machine's own names, signed by the authority. */
export async function makeServerCertificate(
	authority: KeyedCertificate,
	isExpired = false,
): Promise<KeyedCertificate> {
	const made = await generate([{ name: 'commonName', value: 'localhost' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		ca: { key: authority.key, cert: authority.certificate },
		...(isExpired ? between(-2, -1) : between(-1, SERVER_DAYS)),
		extensions: [
			{ name: 'basicConstraints', cA: false },
			{ name: 'keyUsage', digitalSignature: true, critical: true },
			{ name: 'extKeyUsage', serverAuth: true },
			{ name: 'subjectAltName', altNames: OWN_NAMES },
		],
	});
	return { certificate: made.cert, key: made.private };
}
