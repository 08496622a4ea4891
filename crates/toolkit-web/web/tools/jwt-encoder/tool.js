//! JSON Web Tokens, signed and verified. Standards: RFC 7519, RFC 7515, RFC 7518 §3, RFC 8037, RFC 8725 (practice).
import { choice, line, number, text, tool } from '../../kit/tool.js';
import { ALGORITHMS } from '../../lib/jose/jws.js';
import { claimButton, newKey, sign, verify } from './token.js';

const NAMES = Object.fromEntries(ALGORITHMS.map((name) => [name, name]));

export default tool({
  secrets: true,
  secure: true,
  more: 'format',
  fields: {
    mode: choice('Action', { sign: 'Sign a token', verify: 'Verify a token' }),
    algorithm: choice('Algorithm', NAMES, {
      value: 'HS256',
      help: 'Choose the algorithm for an empty header.',
      when: { mode: 'sign' },
    }),
    header: text('Header', {
      help: 'Enter JSON. Its `alg` takes precedence. Leave empty for the usual header.',
      lines: 3,
      max: 64 * 1024,
      when: { mode: 'sign' },
    }),
    payload: text('Payload', {
      help: 'Enter JSON. It is signed exactly as written.',
      max: 1 << 20,
      when: { mode: 'sign' },
    }),
    token: line('Token', { code: true, max: 2 << 20, when: { mode: 'verify' } }),
    key: text('Key', {
      help: 'Enter a shared secret, PEM, certificate, JWK or JWK Set.',
      lines: 4,
      max: 256 * 1024,
    }),
    format: choice('Secret format', {
      auto: 'Text',
      text: 'Text, even if like a JWK',
      hex: 'Hexadecimal',
      base64url: 'Base64 or Base64url',
    }),
    skew: number('Clock skew', {
      value: 0,
      min: 0,
      max: 3600,
      unit: 'seconds',
      when: { mode: 'verify' },
    }),
    issuer: line('Expected issuer', { max: 2000, when: { mode: 'verify' } }),
    audience: line('Expected audience', { max: 2000, when: { mode: 'verify' } }),
  },
  answer: 'result',
  actions: [
    claimButton('iat', 0),
    claimButton('nbf', 0),
    claimButton('exp', 3600),
    { title: 'New key', field: 'key', run: ({ algorithm }, context) => newKey(algorithm, context) },
  ],
  run: (values, context) => {
    const options = { ...values, format: /** @type {'auto'} */ (values.format) };
    return values.mode === 'sign' ? sign(options, context) : verify(options, context);
  },
  product: { token: 'token', payload: 'payload' },
  examples: [
    {
      title: 'Sign with a shared secret',
      values: {
        payload: '{"sub":"1234567890","name":"Anna"}',
        key: 'a shared secret of at least 32 bytes',
      },
      outputs: {
        token:
          'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkFubmEifQ.dc3tkR3gVhouFysVbqLTa_g03vTC4IzITYtIDYDtpNk',
      },
    },
    {
      title: 'Verify the token of RFC 7515, A.1',
      values: {
        mode: 'verify',
        token:
          'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        key: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
        format: 'base64url',
      },
    },
  ],
});
