//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { command: 'curl https://www.example.org/' },
  shows: /fetch\("https:\/\/www\.example\.org\/"/,
  bad: [
    bad('command', 'wget https://www.example.org/', /has no curl command.* begins with curl and/),
    bad(
      'command',
      'fetch("https://www.example.org/", { "method": "GET" });',
      /copied as fetch, not a curl command.* choose "Copy as cURL"/,
    ),
    bad(
      'command',
      '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri "https://www.example.org/"',
      /copied as PowerShell, .* choose "Copy as cURL"/,
    ),
    bad('command', "curl 'https://www.example.org/", /Character 6: .*opening ' that is not closed/),
    bad('command', 'curl -v', /^Command has no address: give curl a URL\.$/),
    bad('request', '2', /^Request must be 1: the command makes no more\.$/),
  ],
};
