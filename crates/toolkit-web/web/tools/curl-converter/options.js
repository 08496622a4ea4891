//! Options of a request that a language can express. What its table does not hold is left out, with a warning.

/** @import { Request } from './command.js' */
/** @import { Login } from './command.js' */
/** @typedef {'insecure' | 'redirects' | 'timeout' | 'connectTimeout' | 'proxy' | 'http' | 'login' | 'cert' | 'key' | 'cacert'} Option */
/** What a language writes for each option. @typedef {{ [K in Option]?: (value: NonNullable<Request[K]>, request: Request) => string | string[] }} Options */

/** Whether the command has it. @param {Request} request @param {keyof Request} name */
export const has = (request, name) =>
  ![undefined, false, ''].includes(/** @type {any} */ (request[name]));

/** What the language writes for this request, in the order of its table. @param {Options} options @param {Request} request */
export const written = (options, request) =>
  Object.entries(options).flatMap(([name, write]) => {
    const option = /** @type {Option} */ (name);
    return has(request, option)
      ? /** @type {(value: any, request: Request) => string | string[]} */ (write)(
          request[option],
          request,
        )
      : [];
  });

/** @param {number} seconds */
export const millis = (seconds) => Math.max(1, Math.round(seconds * 1000));

/** A version of HTTP with both numbers. @param {string} version */
export const fullVersion = (version) => (version.includes('.') ? version : `${version}.0`);

/** How often redirects are followed at the most, 0 for never. @param {Request} request */
export const hops = ({ follow, redirects }) => (follow ? redirects : 0);

/** Name and password as one text. @param {Login} login */
export const pairOf = ({ user, password }) => `${user}:${password}`;
