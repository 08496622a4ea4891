//! Parts of a bcrypt hash: `$2b$12$`, 22 characters of salt, 31 of checksum, in bcrypt's own
//! Base64.
import { Refusal } from '../../kit/tool.js';

const FOREIGN = /[^./A-Za-z0-9]/;
const COST_LIMIT = 15;

/** @param {string} text */
export function readBcrypt(text) {
  const [, version = ''] = /^\$(2[a-z]?)\$/.exec(text) ?? [];
  if (version === '')
    throw new Refusal('does not begin with $2a$, $2b$ or $2y$', { at: 0, hint: otherHash(text) });
  if (version === '2x')
    throw new Refusal(
      'has the version 2x, which marks hashes of a faulty program and cannot be checked safely',
      { at: 1, hint: 'Use 2a, 2b or 2y.' },
    );
  if (!['2a', '2b', '2y'].includes(version))
    throw new Refusal(`has the version ${version}; 2a, 2b and 2y are known`, { at: 1 });
  const [digits = '', rest = ''] = text.slice(4).split('$');
  if (!/^\d\d$/.test(digits))
    throw new Refusal(`has "${digits.slice(0, 20)}" as cost, where two digits belong`, { at: 4 });
  const cost = Number(digits);
  if (cost < 4 || cost > 31)
    throw new Refusal(`has the cost ${cost}; bcrypt goes from 4 to 31`, { at: 4 });
  if (cost > COST_LIMIT)
    throw new Refusal(`has the cost ${cost}, which takes too long here: ${COST_LIMIT} at most`, {
      at: 4,
    });
  const foreign = FOREIGN.exec(rest);
  if (foreign)
    throw new Refusal(
      `has the character ${JSON.stringify(foreign[0])}, which is not in bcrypt's Base64`,
      { at: 7 + foreign.index },
    );
  if (rest.length !== 53)
    throw new Refusal(
      `has ${rest.length} characters after the cost; 22 of salt and 31 of checksum make 53`,
      { at: 7 },
    );
  return { version, cost, salt: rest.slice(0, 22), checksum: rest.slice(22) };
}

/** A hash out of a line of htpasswd, of Compose (`$$`), of Dovecot or LDAP (`{CRYPT}`). @param {string} line @param {(sentence: string) => void} warn */
export function hashIn(line, warn) {
  const typed = line.trim();
  const plain = typed.replaceAll('$$', '$');
  const hash = /^(?:["']|[^$]*[:=}\s]["']?)?(\$2[a-z]?\$[^\s"':,;]*)["',;]*(?::.*)?$/.exec(
    plain,
  )?.[1];
  if (hash === undefined || hash === typed) return typed;
  warn('The name, quotes and doubled "$" around the hash were taken off.');
  return hash;
}

/** @param {string} text */
function otherHash(text) {
  if (/^\$argon2/.test(text)) return 'It looks like Argon2.';
  if (/^\$[156]\$/.test(text)) return 'It looks like a hash of crypt(3) with MD5 or SHA-2.';
  if (/^\$y\$/.test(text)) return 'It looks like yescrypt.';
  if (/^[\da-f]{32,128}$/i.test(text))
    return 'It looks like a plain digest such as MD5 or SHA-256.';
  return 'A bcrypt hash is, for example, $2b$12$ and 53 more characters.';
}
