//! Requests as programs in Go, Java, C#, Rust, Swift and Kotlin.

import { braced, json, kotlin } from '../../lib/literals.js';
import { bodyOf, explicitHeaders } from './http-text.js';
import { fullVersion, millis, pairOf, written } from './options.js';

/** @import { Request } from './command.js' */
/** @import { Emitter } from './code.js' */
/** @import { Options } from './options.js' */

/** @param {string[]} lines @param {number} columns */
const indented = (lines, columns) => lines.map((line) => ' '.repeat(columns) + line);

/** @type {Emitter} */
export const goCode = {
  name: 'Go (net/http)',
  file: 'request.go',
  can: ['follow', 'timeout', 'insecure', 'proxy', 'login'],
  code(request) {
    const { login } = request;
    const { file, text } = bodyOf(request);
    const imports = ['fmt', 'io', 'net/http'];
    const setup = [];
    let body = 'nil';
    if (file !== undefined) {
      imports.push('os');
      setup.push(`\tbody, err := os.Open(${json(file)})`, ...panics);
      body = 'body';
    } else if (text !== undefined) {
      imports.push('strings');
      body = `strings.NewReader(${json(text)})`;
    }
    setup.push(
      `\trequest, err := http.NewRequest(${json(request.method)}, ${json(request.url)}, ${body})`,
      ...panics,
    );
    for (const [name, value] of explicitHeaders(request))
      setup.push(
        name.toLowerCase() === 'host'
          ? `\trequest.Host = ${json(value)}`
          : `\trequest.Header.Add(${json(name)}, ${json(value)})`,
      );
    if (login) setup.push(`\trequest.SetBasicAuth(${json(login.user)}, ${json(login.password)})`);
    return [
      'package main',
      '',
      'import (',
      ...[...imports, ...goImports(request)].sort().map((name) => `\t"${name}"`),
      ')',
      '',
      'func main() {',
      ...setup,
      ...goClient(request),
      '\tresponse, err := client.Do(request)',
      ...panics,
      '\tdefer response.Body.Close()',
      '\tcontent, err := io.ReadAll(response.Body)',
      ...panics,
      '\tfmt.Println(response.Status, string(content))',
      '}',
    ].join('\n');
  },
};
const panics = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];

/** @param {Request} request */
const goImports = ({ insecure, proxy, timeout }) => [
  ...(insecure ? ['crypto/tls'] : []),
  ...(proxy ? ['net/url'] : []),
  ...(timeout === undefined ? [] : ['time']),
];

/** @param {Request} request */
function goClient({ insecure, proxy, timeout, follow }) {
  const lines = [];
  const transport = [];
  if (proxy) {
    lines.push(`\tproxy, err := url.Parse(${json(proxy)})`, ...panics);
    transport.push('Proxy: http.ProxyURL(proxy)');
  }
  if (insecure) transport.push('TLSClientConfig: &tls.Config{InsecureSkipVerify: true}');
  const fields = [];
  if (transport.length) fields.push(`\t\tTransport: &http.Transport{${transport.join(', ')}},`);
  if (timeout !== undefined) fields.push(`\t\tTimeout: ${millis(timeout)} * time.Millisecond,`);
  if (!follow)
    fields.push(
      '\t\tCheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },',
    );
  return fields.length
    ? [...lines, '\tclient := &http.Client{', ...fields, '\t}']
    : [...lines, '\tclient := http.DefaultClient'];
}

/** @type {Options} */
const javaClient = {
  connectTimeout: (seconds) => `.connectTimeout(Duration.ofMillis(${millis(seconds)}))`,
  http: (version) => `.version(HttpClient.Version.${version === '2' ? 'HTTP_2' : 'HTTP_1_1'})`,
};
/** @type {Options} */
const javaRequest = {
  timeout: (seconds) => `.timeout(Duration.ofMillis(${millis(seconds)}))`,
  login: (login) =>
    `.header("Authorization", "Basic " + java.util.Base64.getEncoder().encodeToString(${json(pairOf(login))}.getBytes(java.nio.charset.StandardCharsets.UTF_8)))`,
};

/** @type {Emitter} */
export const javaCode = {
  name: 'Java (HttpClient)',
  file: 'Main.java',
  can: ['follow', ...Object.keys({ ...javaClient, ...javaRequest })],
  code(request) {
    const { file, text } = bodyOf(request);
    const client = [
      `.followRedirects(HttpClient.Redirect.${request.follow ? 'NORMAL' : 'NEVER'})`,
      ...written(javaClient, request),
    ];
    const publisher =
      file !== undefined
        ? `ofFile(Path.of(${json(file)}))`
        : text === undefined
          ? 'noBody()'
          : `ofString(${json(text)})`;
    const call = [
      `.method(${json(request.method)}, HttpRequest.BodyPublishers.${publisher})`,
      ...explicitHeaders(request).map(([name, value]) => `.header(${json(name)}, ${json(value)})`),
      ...written(javaRequest, request),
    ];
    return [
      'import java.net.URI;',
      'import java.net.http.HttpClient;',
      'import java.net.http.HttpRequest;',
      'import java.net.http.HttpResponse;',
      'import java.nio.file.Path;',
      'import java.time.Duration;',
      '',
      'public class Main {',
      '    public static void main(String[] arguments) throws Exception {',
      '        HttpClient client = HttpClient.newBuilder()',
      ...indented([...client, '.build();'], 12),
      `        HttpRequest request = HttpRequest.newBuilder(URI.create(${json(request.url)}))`,
      ...indented([...call, '.build();'], 12),
      '        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());',
      '        System.out.println(response.statusCode() + " " + response.body());',
      '    }',
      '}',
    ].join('\n');
  },
};

/** @type {Options} */
const csharpHandler = {
  redirects: (most) => `MaxAutomaticRedirections = ${most},`,
  proxy: (url) => `Proxy = new WebProxy(${json(url)}),`,
  insecure: () => 'ServerCertificateCustomValidationCallback = (_, _, _, _) => true,',
  login: ({ user, password, scheme }) =>
    scheme === 'Basic'
      ? []
      : `Credentials = new NetworkCredential(${json(user)}, ${json(password)}),`,
};
/** @type {Options} */
const csharpClient = {
  timeout: (seconds) => `client.Timeout = TimeSpan.FromMilliseconds(${millis(seconds)});`,
};
/** @type {Options} */
const csharpRequest = {
  http: (version) => `request.Version = new Version(${fullVersion(version).replace('.', ', ')});`,
  login: (login) =>
    login.scheme === 'Basic'
      ? `request.Headers.TryAddWithoutValidation("Authorization", "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(${json(pairOf(login))})));`
      : [],
};

/** @type {Emitter} */
export const csharpCode = {
  name: 'C# (HttpClient)',
  file: 'Program.cs',
  can: ['follow', ...Object.keys({ ...csharpHandler, ...csharpClient, ...csharpRequest })],
  schemes: ['Digest', 'NTLM', 'Negotiate'],
  code(request) {
    const { file, text } = bodyOf(request);
    const handler = [`AllowAutoRedirect = ${request.follow},`, ...written(csharpHandler, request)];
    if (request.compressed) handler.push('AutomaticDecompression = DecompressionMethods.All,');
    const headers = explicitHeaders(request);
    const isContent = (/** @type {string} */ name) =>
      /^content-|^(allow|expires|last-modified)$/i.test(name);
    const lines = headers
      .filter(([name]) => !isContent(name))
      .map(
        ([name, value]) =>
          `request.Headers.TryAddWithoutValidation(${json(name)}, ${json(value)});`,
      );
    if (text !== undefined) {
      lines.push(
        `request.Content = new ByteArrayContent(${file === undefined ? `Encoding.UTF8.GetBytes(${json(text)})` : `File.ReadAllBytes(${json(file)})`});`,
      );
      for (const [name, value] of headers)
        if (isContent(name))
          lines.push(
            `request.Content.Headers.TryAddWithoutValidation(${json(name)}, ${json(value)});`,
          );
    }
    return [
      'using System.Net;',
      'using System.Text;',
      '',
      `using var client = new HttpClient(new HttpClientHandler`,
      '{',
      ...indented(handler, 4),
      '});',
      ...written(csharpClient, request),
      `using var request = new HttpRequestMessage(new HttpMethod(${json(request.method)}), ${json(request.url)});`,
      ...written(csharpRequest, request),
      ...lines,
      'using var response = await client.SendAsync(request);',
      'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
    ].join('\n');
  },
};

/** @type {Options} */
const rustClient = {
  timeout: (seconds) => `.timeout(std::time::Duration::from_millis(${millis(seconds)}))`,
  connectTimeout: (seconds) =>
    `.connect_timeout(std::time::Duration::from_millis(${millis(seconds)}))`,
  insecure: () => '.danger_accept_invalid_certs(true)',
  proxy: (url) => `.proxy(reqwest::Proxy::all(${braced(url)})?)`,
};

/** @type {Emitter} */
export const rustCode = {
  name: 'Rust (reqwest)',
  file: 'main.rs',
  can: ['follow', 'redirects', 'login', ...Object.keys(rustClient)],
  code(request) {
    const { login } = request;
    const { file, text } = bodyOf(request);
    const client = [
      `.redirect(reqwest::redirect::Policy::${request.follow ? `limited(${request.redirects ?? 50})` : 'none()'})`,
      ...written(rustClient, request),
    ];
    const call = [
      `.request(reqwest::Method::from_bytes(b${braced(request.method)})?, ${braced(request.url)})`,
      ...explicitHeaders(request).map(
        ([name, value]) => `.header(${braced(name)}, ${braced(value)})`,
      ),
    ];
    if (login) call.push(`.basic_auth(${braced(login.user)}, Some(${braced(login.password)}))`);
    if (text !== undefined)
      call.push(`.body(${file === undefined ? braced(text) : `std::fs::read(${braced(file)})?`})`);
    return [
      'fn main() -> Result<(), Box<dyn std::error::Error>> {',
      '    let client = reqwest::blocking::Client::builder()',
      ...indented([...client, '.build()?;'], 8),
      '    let response = client',
      ...indented([...call, '.send()?;'], 8),
      '    println!("{} {}", response.status(), response.text()?);',
      '    Ok(())',
      '}',
    ].join('\n');
  },
};

/** @type {Emitter} */
export const swiftCode = {
  name: 'Swift (URLSession)',
  file: 'main.swift',
  can: ['timeout', 'follow', 'login'],
  code(request) {
    const { login } = request;
    const { file, text } = bodyOf(request);
    const lines = [
      `request.httpMethod = ${braced(request.method)}`,
      ...explicitHeaders(request).map(
        ([name, value]) =>
          `request.addValue(${braced(value)}, forHTTPHeaderField: ${braced(name)})`,
      ),
    ];
    if (login)
      lines.push(
        `request.addValue("Basic " + Data(${braced(pairOf(login))}.utf8).base64EncodedString(), forHTTPHeaderField: "Authorization")`,
      );
    if (text !== undefined)
      lines.push(
        `request.httpBody = ${file === undefined ? `Data(${braced(text)}.utf8)` : `try Data(contentsOf: URL(fileURLWithPath: ${braced(file)}))`}`,
      );
    if (request.timeout !== undefined) lines.push(`request.timeoutInterval = ${request.timeout}`);
    return [
      'import Foundation',
      '',
      `var request = URLRequest(url: URL(string: ${braced(request.url)})!)`,
      ...lines,
      'let (data, response) = try await URLSession.shared.data(for: request)',
      'print((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))',
    ].join('\n');
  },
};

/** @type {Options} */
const kotlinClient = {
  timeout: (seconds) => `.callTimeout(java.time.Duration.ofMillis(${millis(seconds)}))`,
  connectTimeout: (seconds) => `.connectTimeout(java.time.Duration.ofMillis(${millis(seconds)}))`,
};

/** @type {Emitter} */
export const kotlinCode = {
  name: 'Kotlin (OkHttp)',
  file: 'Main.kt',
  can: ['follow', 'login', ...Object.keys(kotlinClient)],
  code(request) {
    const { login } = request;
    const { file, text } = bodyOf(request);
    const client = [`.followRedirects(${request.follow})`, ...written(kotlinClient, request)];
    const content =
      file !== undefined
        ? `java.io.File(${kotlin(file)}).asRequestBody()`
        : text === undefined
          ? /^(POST|PUT|PATCH)$/.test(request.method)
            ? 'ByteArray(0).toRequestBody()'
            : 'null'
          : `${kotlin(text)}.toByteArray().toRequestBody()`;
    const call = [
      `.url(${kotlin(request.url)})`,
      `.method(${kotlin(request.method)}, ${content})`,
      ...explicitHeaders(request).map(
        ([name, value]) => `.addHeader(${kotlin(name)}, ${kotlin(value)})`,
      ),
    ];
    if (login)
      call.push(
        `.addHeader("Authorization", okhttp3.Credentials.basic(${kotlin(login.user)}, ${kotlin(login.password)}, Charsets.UTF_8))`,
      );
    return [
      'import okhttp3.OkHttpClient',
      'import okhttp3.Request',
      'import okhttp3.RequestBody.Companion.asRequestBody',
      'import okhttp3.RequestBody.Companion.toRequestBody',
      '',
      'fun main() {',
      '    val client = OkHttpClient.Builder()',
      ...indented([...client, '.build()'], 8),
      '    val request = Request.Builder()',
      ...indented([...call, '.build()'], 8),
      '    client.newCall(request).execute().use { response ->',
      '        println(response.code)',
      '        println(response.body?.string())',
      '    }',
      '}',
    ].join('\n');
  },
};
