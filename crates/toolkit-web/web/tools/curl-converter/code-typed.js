//! Requests as programs in Go, Java, C#, Rust, Swift and Kotlin.
import { wholeFile } from './code-scripts.js';
import { bodyText, explicitHeaders } from './http-text.js';
import { braced, json, kotlin } from './literals.js';

/** @import { Request } from './command.js' */
/** @import { Emitter } from './code.js' */

/** @param {number} seconds */
const millis = (seconds) => Math.max(1, Math.round(seconds * 1000));

/** @type {Emitter} */
export const goCode = {
  name: 'Go (net/http)',
  file: 'request.go',
  can: ['follow', 'timeout', 'insecure', 'proxy', 'compressed'],
  code(request) {
    const file = wholeFile(request);
    const text = bodyText(request);
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

/** @type {Emitter} */
export const javaCode = {
  name: 'Java (HttpClient)',
  file: 'Main.java',
  can: ['follow', 'timeout', 'connectTimeout', 'http', 'compressed'],
  code(request) {
    const file = wholeFile(request);
    const text = bodyText(request);
    const client = [`.followRedirects(HttpClient.Redirect.${request.follow ? 'NORMAL' : 'NEVER'})`];
    if (request.connectTimeout !== undefined)
      client.push(`.connectTimeout(Duration.ofMillis(${millis(request.connectTimeout)}))`);
    if (request.http)
      client.push(`.version(HttpClient.Version.${request.http === '2' ? 'HTTP_2' : 'HTTP_1_1'})`);
    const publisher =
      file !== undefined
        ? `ofFile(Path.of(${json(file)}))`
        : text === undefined
          ? 'noBody()'
          : `ofString(${json(text)})`;
    const call = [
      `.method(${json(request.method)}, HttpRequest.BodyPublishers.${publisher})`,
      ...explicitHeaders(request).map(([name, value]) => `.header(${json(name)}, ${json(value)})`),
    ];
    if (request.timeout !== undefined)
      call.push(`.timeout(Duration.ofMillis(${millis(request.timeout)}))`);
    const pad = (/** @type {string[]} */ lines) => lines.map((line) => `            ${line}`);
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
      ...pad([...client, '.build();']),
      `        HttpRequest request = HttpRequest.newBuilder(URI.create(${json(request.url)}))`,
      ...pad([...call, '.build();']),
      '        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());',
      '        System.out.println(response.statusCode() + " " + response.body());',
      '    }',
      '}',
    ].join('\n');
  },
};

/** @type {Emitter} */
export const csharpCode = {
  name: 'C# (HttpClient)',
  file: 'Program.cs',
  can: ['follow', 'redirects', 'timeout', 'insecure', 'proxy', 'http', 'compressed'],
  code(request) {
    const file = wholeFile(request);
    const text = bodyText(request);
    const handler = [`AllowAutoRedirect = ${request.follow},`];
    if (request.redirects) handler.push(`MaxAutomaticRedirections = ${request.redirects},`);
    if (request.proxy) handler.push(`Proxy = new WebProxy(${json(request.proxy)}),`);
    if (request.insecure)
      handler.push('ServerCertificateCustomValidationCallback = (_, _, _, _) => true,');
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
    const version = request.http
      ? [
          `request.Version = new Version(${(request.http.includes('.') ? request.http : `${request.http}.0`).replace('.', ', ')});`,
        ]
      : [];
    const timeout =
      request.timeout === undefined
        ? []
        : [`client.Timeout = TimeSpan.FromMilliseconds(${millis(request.timeout)});`];
    return [
      'using System.Net;',
      'using System.Text;',
      '',
      `using var client = new HttpClient(new HttpClientHandler`,
      '{',
      ...handler.map((line) => `    ${line}`),
      '});',
      ...timeout,
      `using var request = new HttpRequestMessage(new HttpMethod(${json(request.method)}), ${json(request.url)});`,
      ...version,
      ...lines,
      'using var response = await client.SendAsync(request);',
      'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
    ].join('\n');
  },
};

/** @type {Emitter} */
export const rustCode = {
  name: 'Rust (reqwest)',
  file: 'main.rs',
  can: ['follow', 'redirects', 'timeout', 'connectTimeout', 'insecure', 'proxy', 'compressed'],
  code(request) {
    const file = wholeFile(request);
    const text = bodyText(request);
    const client = [
      `.redirect(reqwest::redirect::Policy::${request.follow ? `limited(${request.redirects ?? 50})` : 'none()'})`,
    ];
    if (request.timeout !== undefined)
      client.push(`.timeout(std::time::Duration::from_millis(${millis(request.timeout)}))`);
    if (request.connectTimeout !== undefined)
      client.push(
        `.connect_timeout(std::time::Duration::from_millis(${millis(request.connectTimeout)}))`,
      );
    if (request.insecure) client.push('.danger_accept_invalid_certs(true)');
    if (request.proxy) client.push(`.proxy(reqwest::Proxy::all(${braced(request.proxy)})?)`);
    const call = [
      `.request(reqwest::Method::from_bytes(b${braced(request.method)})?, ${braced(request.url)})`,
      ...explicitHeaders(request).map(
        ([name, value]) => `.header(${braced(name)}, ${braced(value)})`,
      ),
    ];
    if (text !== undefined)
      call.push(`.body(${file === undefined ? braced(text) : `std::fs::read(${braced(file)})?`})`);
    const pad = (/** @type {string[]} */ lines) => lines.map((line) => `        ${line}`);
    return [
      'fn main() -> Result<(), Box<dyn std::error::Error>> {',
      '    let client = reqwest::blocking::Client::builder()',
      ...pad([...client, '.build()?;']),
      '    let response = client',
      ...pad([...call, '.send()?;']),
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
  can: ['timeout', 'compressed', 'follow'],
  code(request) {
    const file = wholeFile(request);
    const text = bodyText(request);
    const lines = [
      `request.httpMethod = ${braced(request.method)}`,
      ...explicitHeaders(request).map(
        ([name, value]) =>
          `request.addValue(${braced(value)}, forHTTPHeaderField: ${braced(name)})`,
      ),
    ];
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

/** @type {Emitter} */
export const kotlinCode = {
  name: 'Kotlin (OkHttp)',
  file: 'Main.kt',
  can: ['follow', 'timeout', 'connectTimeout', 'compressed'],
  code(request) {
    const file = wholeFile(request);
    const text = bodyText(request);
    const client = [`.followRedirects(${request.follow})`];
    if (request.timeout !== undefined)
      client.push(`.callTimeout(java.time.Duration.ofMillis(${millis(request.timeout)}))`);
    if (request.connectTimeout !== undefined)
      client.push(
        `.connectTimeout(java.time.Duration.ofMillis(${millis(request.connectTimeout)}))`,
      );
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
    const pad = (/** @type {string[]} */ lines) => lines.map((line) => `        ${line}`);
    return [
      'import okhttp3.OkHttpClient',
      'import okhttp3.Request',
      'import okhttp3.RequestBody.Companion.asRequestBody',
      'import okhttp3.RequestBody.Companion.toRequestBody',
      '',
      'fun main() {',
      '    val client = OkHttpClient.Builder()',
      ...pad([...client, '.build()']),
      '    val request = Request.Builder()',
      ...pad([...call, '.build()']),
      '    client.newCall(request).execute().use { response ->',
      '        println(response.code)',
      '        println(response.body?.string())',
      '    }',
      '}',
    ].join('\n');
  },
};
