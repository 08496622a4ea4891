//! HTTP status codes. Sources: IANA's HTTP Status Code Registry as of 2025-09-15, RFC 9110 §15 and each code's
//! references. Codes outside the registry follow the documentation of their users. Facts only, in our own words.

import { rowsOf } from './rows.js';

/**
 * @typedef {object} Status
 * @property {number} code
 * @property {string} name as registered
 * @property {string} meaning
 * @property {string} causes
 * @property {string} reference
 * @property {string} [body] if it differs from the rule of its class
 * @property {string} [user] the sender, for a code outside the registry
 */

const NONE = 'None: the response ends after its header section.';

/** The rows of a table, whose last column is not in each. @param {string} table @param {'body' | 'user'} last @returns {Status[]} */
const rows = (table, last) =>
  rowsOf(table, ' | ').map(
    ([code, name = '', meaning = '', causes = '', reference = '', more]) => ({
      code: Number(code),
      name,
      meaning,
      causes,
      reference,
      ...(more && { [last]: more }),
    }),
  );

/** Code, name, meaning, causes, reference, body. */
export const REGISTERED = rows(
  `
100 | Continue | The beginning of the request was received and not refused; the client may send the body. | The request had Expect: 100-continue, as curl sends for large uploads. | RFC 9110 §15.2.1
101 | Switching Protocols | The server changes to the protocol that the request asked for in Upgrade. | The opening of a WebSocket connection. | RFC 9110 §15.2.2
102 | Processing | The server has the request and needs time to finish it. Dropped from later WebDAV. | A long WebDAV operation over many resources. | RFC 2518
103 | Early Hints | Header fields that the final response will probably have, so that a client can preload. | A server that names style sheets and scripts in Link before the page is ready. | RFC 8297
104 | Upload Resumption Supported | The server can resume this upload if it breaks. A temporary registration that expires 2026-11-13. | An upload to a server with resumable uploads. | draft-ietf-httpbis-resumable-upload-05
200 | OK | The request succeeded. | The normal answer to GET, and to POST when there is a result to show. | RFC 9110 §15.3.1
201 | Created | One or more resources were created; Location names the main one. | A POST that added something, or a PUT to a new address. | RFC 9110 §15.3.2
202 | Accepted | The request was taken on and is not finished; it may still fail. | Work that goes into a queue. | RFC 9110 §15.3.3
203 | Non-Authoritative Information | Success, but a proxy changed what the origin server sent. | A transforming proxy. | RFC 9110 §15.3.4
204 | No Content | The request succeeded and there is nothing to send back. | A DELETE or a PUT that saved; a CORS preflight. | RFC 9110 §15.3.5 | ${NONE}
205 | Reset Content | The request succeeded; the client should clear the form it came from. | Data entry, one record after another. | RFC 9110 §15.3.6 | None: no content may be sent.
206 | Partial Content | The response holds the ranges that the request asked for in Range. | Seeking in a video; resuming a download. | RFC 9110 §15.3.7 | The range, or multipart/byteranges for several.
207 | Multi-Status | Several operations, each with a status of its own in the body. | WebDAV requests over many resources; batch interfaces. | RFC 4918 §11.1 | XML that gives one status for each resource (JSON in some interfaces).
208 | Already Reported | Inside a 207: the members of this collection were listed before. | WebDAV with several bindings to one collection. | RFC 5842 §7.1
226 | IM Used | The response is a difference to an earlier version that the client has. | Delta encoding, asked for with A-IM; rare. | RFC 3229 §10.4.1
300 | Multiple Choices | There are several representations; the client or its user should choose one. | Negotiation left to the client; rare. | RFC 9110 §15.4.1
301 | Moved Permanently | The resource has a new address for good, in Location. Clients may turn POST into GET; use 308 where they must not. | A renamed page; HTTP to HTTPS; with and without www or a final slash. | RFC 9110 §15.4.2
302 | Found | The resource is at another address for now. Clients may turn POST into GET; use 303 or 307 to be exact. | Login pages; short links. | RFC 9110 §15.4.3
303 | See Other | The answer is at the address in Location, to be fetched with GET. | After a form was posted, so that a reload does not send it again. | RFC 9110 §15.4.4
304 | Not Modified | The copy that the client has is still valid. | If-None-Match or If-Modified-Since matched. | RFC 9110 §15.4.5 | ${NONE}
305 | Use Proxy | Deprecated: the resource had to be reached through a proxy. | Nothing current; clients ignore it for safety. | RFC 9110 §15.4.6
306 | (Unused) | Reserved: it was once Switch Proxy. | Nothing. | RFC 9110 §15.4.7
307 | Temporary Redirect | The resource is at another address for now; method and body must stay as they were. | Maintenance; HSTS inside a browser, where it is made up locally. | RFC 9110 §15.4.8
308 | Permanent Redirect | The resource has a new address for good; method and body must stay as they were. | A moved interface that takes POST. | RFC 9110 §15.4.9
400 | Bad Request | The server cannot or will not process the request because of a fault in it. | Broken syntax, malformed JSON, a bad Host header, plain HTTP sent to an HTTPS port. | RFC 9110 §15.5.1
401 | Unauthorized | Authentication is missing or wrong; WWW-Authenticate says what is accepted. | No token, a wrong or expired one, a wrong password. | RFC 9110 §15.5.2
402 | Payment Required | Reserved for payment; services use it in their own ways. | A used-up quota or an unpaid bill. | RFC 9110 §15.5.3
403 | Forbidden | The request was understood and is refused; other credentials may help, the same ones will not. | Missing rights, file permissions, a firewall, a blocked address or country. | RFC 9110 §15.5.4
404 | Not Found | Nothing is at this address, or the server does not want to say so. | A typing error, a removed page, a route that was not deployed. | RFC 9110 §15.5.5
405 | Method Not Allowed | The resource exists and does not support this method; Allow lists those it does. | POST to a read-only address; a redirect that turned POST into GET. | RFC 9110 §15.5.6
406 | Not Acceptable | There is no representation that fits the Accept fields of the request. | An Accept or Accept-Language that is too narrow. | RFC 9110 §15.5.7
407 | Proxy Authentication Required | As 401, but the proxy asks; Proxy-Authenticate says what is accepted. | A company proxy without credentials. | RFC 9110 §15.5.8
408 | Request Timeout | The whole request did not arrive within the time that the server waits. | A slow upload; an idle connection that is being closed. | RFC 9110 §15.5.9
409 | Conflict | The request conflicts with the present state of the resource. | An edit of an old version; a name that is taken. | RFC 9110 §15.5.10
410 | Gone | The resource was here and is gone for good. | Content removed on purpose; links to it should be deleted. | RFC 9110 §15.5.11
411 | Length Required | The server wants a Content-Length. | A chunked upload to a server that does not take it. | RFC 9110 §15.5.12
412 | Precondition Failed | A condition in the header of the request is false. | If-Match with an old ETag: somebody else changed the resource. | RFC 9110 §15.5.13
413 | Content Too Large | The body of the request is larger than the server takes. | An upload over the limit of a server or proxy, such as client_max_body_size of nginx. | RFC 9110 §15.5.14
414 | URI Too Long | The address is longer than the server takes. | A form sent with GET instead of POST; a loop of redirects that adds to the query. | RFC 9110 §15.5.15
415 | Unsupported Media Type | The server does not take a body of this type or coding. | A missing Content-Type: application/json. | RFC 9110 §15.5.16
416 | Range Not Satisfiable | None of the ranges of the request exists in the resource. | Resuming a download of a file that became shorter. | RFC 9110 §15.5.17
417 | Expectation Failed | The server cannot meet the Expect field of the request. | A proxy that does not know 100-continue. | RFC 9110 §15.5.18
418 | (Unused) | Reserved because of RFC 2324, where it is "I'm a teapot"; not to be used for anything else. | A joke, or a service that turns robots away. | RFC 9110 §15.5.19
421 | Misdirected Request | This server cannot answer for that scheme and authority. | An HTTP/2 connection reused for another host name on the same certificate. | RFC 9110 §15.5.20
422 | Unprocessable Content | Type and syntax are right, the instructions in the body are not. | A field that fails validation. | RFC 9110 §15.5.21
423 | Locked | The resource is locked. | A file that somebody else edits over WebDAV. | RFC 4918 §11.3
424 | Failed Dependency | It failed because another action of the same request failed. | One property of a WebDAV PROPPATCH was refused. | RFC 4918 §11.4
425 | Too Early | The server will not risk a request that might be replayed. | TLS 1.3 early data; the client sends it again after the handshake. | RFC 8470 §5.2
426 | Upgrade Required | The server wants another protocol, named in Upgrade. | Plain HTTP to a WebSocket address; an old version of TLS. | RFC 9110 §15.5.22
428 | Precondition Required | The server wants the request to be conditional, so that no change is lost. | PUT without If-Match. | RFC 6585 §3
429 | Too Many Requests | The client sent too many requests in a given time; Retry-After may say how long to wait. | A rate limit or quota. | RFC 6585 §4
431 | Request Header Fields Too Large | One header field, or all together, are larger than the server takes. | Cookies that have grown; a long token or Referer. | RFC 6585 §5
451 | Unavailable For Legal Reasons | Access is refused because of a legal demand. | A court order, sanctions, data protection law. | RFC 7725 §3
500 | Internal Server Error | The server met a condition it did not expect. | An exception in the application, a wrong configuration. | RFC 9110 §15.6.1
501 | Not Implemented | The server does not support what the request needs, for any resource. | An unknown method. | RFC 9110 §15.6.2
502 | Bad Gateway | A gateway got an invalid answer from the server it asked. | The application crashed or listens elsewhere; a wrong upstream. | RFC 9110 §15.6.3
503 | Service Unavailable | The server cannot answer for now; Retry-After may say until when. | Overload, maintenance, a deployment under way. | RFC 9110 §15.6.4
504 | Gateway Timeout | A gateway did not get an answer in time from the server it asked. | A slow query; a firewall that drops packets; a limit that is too short. | RFC 9110 §15.6.5
505 | HTTP Version Not Supported | The server does not support the major version of HTTP in the request. | A broken request line, for example a space in the address. | RFC 9110 §15.6.6
506 | Variant Also Negotiates | Transparent negotiation ended in a circle. | A configuration error; rare. | RFC 2295 §8.1
507 | Insufficient Storage | The server cannot store what the request needs. | A full disk or quota of a WebDAV server. | RFC 4918 §11.5
508 | Loop Detected | An endless loop was found while the request was processed. | WebDAV bindings that contain themselves. | RFC 5842 §7.2
510 | Not Extended (OBSOLETED) | Obsolete: the request lacked an extension that the server demanded. | Nothing current. | RFC 2774 §7 (historic)
511 | Network Authentication Required | The network, not the server, wants the client to log in. | A captive portal in a hotel or train. | RFC 6585 §6
`,
  'body',
);

/** Code, name, meaning, causes, reference, user. */
export const UNREGISTERED = rows(
  `
218 | This is fine | An error body is to be passed on although the status is not one. | ProxyErrorOverride of Apache. | Apache HTTP Server | Apache
419 | Page Expired | The token against cross-site request forgery is missing or too old. | A form left open for longer than the session. | Laravel | Laravel
420 | Enhance Your Calm | The client is rate limited; 429 replaced it. | Old versions of an interface. | Twitter API 1 | Twitter
430 | Request Header Fields Too Large | Too many requests at once, or a request taken for an attack. | Robots in a shop. | Shopify | Shopify
440 | Login Time-out | The session has ended; log in again. | An idle mailbox. | Microsoft IIS | IIS
444 | No Response | The server closed the connection without an answer. Seen in logs only. | return 444 against unwanted clients. | nginx | nginx
449 | Retry With | The request lacks something; send it again with it. | Exchange ActiveSync policies. | Microsoft | IIS
450 | Blocked by Windows Parental Controls | A filter on the computer refused the page. | Parental controls. | Microsoft | Windows
460 | Client Closed Connection | The client closed the connection before the load balancer could answer. | A timeout of the client that is shorter than the work. | AWS Elastic Load Balancing | AWS
463 | Too Many Forwarded Addresses | X-Forwarded-For has more than 30 addresses. | A loop of proxies. | AWS Elastic Load Balancing | AWS
494 | Request Header Too Large | The header of the request is too large; sent to the client as 400. | Large cookies. | nginx | nginx
495 | SSL Certificate Error | The certificate of the client is not valid; sent as 400. | An expired or foreign client certificate. | nginx | nginx
496 | SSL Certificate Required | The client sent no certificate; sent as 400. | Mutual TLS without a certificate. | nginx | nginx
497 | HTTP Request Sent to HTTPS Port | Plain HTTP came to an HTTPS port; sent as 400. | http instead of https with port 443. | nginx | nginx
498 | Invalid Token | The token has expired or is wrong. | ArcGIS sessions. | Esri ArcGIS | Esri
499 | Client Closed Request | The client went away before the answer was ready. Seen in logs only. | A closed tab, or a timeout of the client or of a proxy in front. | nginx | nginx
509 | Bandwidth Limit Exceeded | The site has used up its traffic. | Shared hosting. | Apache with cPanel | cPanel
520 | Web Server Returned an Unknown Error | The origin sent something empty or not understood. | A crash of the origin; headers over the limit. | Cloudflare | Cloudflare
521 | Web Server Is Down | The origin refused the connection. | A stopped server; a firewall that blocks the proxy. | Cloudflare | Cloudflare
522 | Connection Timed Out | The TCP connection to the origin was not made in time. | A firewall that drops packets; an overloaded origin; a wrong address in DNS. | Cloudflare | Cloudflare
523 | Origin Is Unreachable | There is no route to the origin. | A wrong DNS record of the origin. | Cloudflare | Cloudflare
524 | A Timeout Occurred | The connection was made, the answer did not come in time. | Work over 100 seconds. | Cloudflare | Cloudflare
525 | SSL Handshake Failed | The TLS handshake with the origin failed. | No common cipher; SNI missing at the origin. | Cloudflare | Cloudflare
526 | Invalid SSL Certificate | The certificate of the origin is not valid. | Expired, self-signed, or for another name. | Cloudflare | Cloudflare
527 | Railgun Error | The former Railgun connection to the origin failed. | A product that is no longer offered. | Cloudflare | Cloudflare
529 | Site Is Overloaded | The service has too much to do. | A peak of load. | Qualys, Anthropic | several services
530 | Origin DNS Error or Site Is Frozen | Shown with a second, detailed error number. | A name that does not resolve. | Cloudflare, Pantheon | Cloudflare
561 | Unauthorized | The identity provider of the load balancer returned an error. | A failed OpenID Connect login. | AWS Elastic Load Balancing | AWS
598 | Network Read Timeout Error | A proxy did not get its answer in time. | A slow server after the proxy. | informal convention | some proxies
599 | Network Connect Timeout Error | A proxy or client could not connect in time. | A server that does not answer. | informal convention | some proxies and clients
`,
  'user',
);

/** Cacheable without explicit freshness: RFC 9110 §15.1. */
export const HEURISTIC = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]);

/** The classes of RFC 9110 §15 by first digit. */
export const CLASSES = {
  1: { name: 'Informational', body: NONE },
  2: { name: 'Successful', body: 'The result, as the method defines it.' },
  3: { name: 'Redirection', body: 'Usually a short note with the new address.' },
  4: { name: 'Client error', body: 'Should explain the fault, and whether it lasts.' },
  5: { name: 'Server error', body: 'Should explain the fault, and whether it lasts.' },
};
