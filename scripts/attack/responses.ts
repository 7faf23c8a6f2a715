import { needsOwn, outcome, until, type Attack } from './attempt.ts'

/** Attacks on the content of responses and log lines. */

const pages = [
  '/api/stats',
  '/api/docs',
  '/api/nowhere',
  '/api/waypoints',
  '/api/exports',
  '/api/exports/waypoints.csv',
  '/',
  '/about/',
  '/map.js',
  '/icon.svg',
  '/nowhere',
]

const missingHeaders: Attack = {
  name: 'missing-headers',
  kind: 'requests',
  wants: 'that a browser runs, frames, guesses or fetches without TLS what it should not',
  async run({ client, own, url }) {
    const attacker = client()
    const isSecure = own !== undefined || url.protocol === 'https:'
    const lacking: string[] = []
    for (const path of pages) {
      const { headers } = await attacker.ask(path, { method: 'HEAD' })
      if (headers['x-content-type-options'] !== 'nosniff') lacking.push(`${path}: nosniff`)
      const policy = headers['content-security-policy']
      if (!/default-src 'none'|object-src 'none'/u.test(String(policy))) lacking.push(`${path}: CSP`)
      if (isSecure && !/^max-age=\d{7}/u.test(headers['strict-transport-security'] ?? ''))
        lacking.push(`${path}: HSTS`)
    }
    return outcome(
      `read the headers of ${pages.length} kinds of responses`,
      lacking.length > 0
        ? `missing: ${lacking.join('; ')}`
        : `CSP, nosniff${isSecure ? ' and HSTS' : ' (HSTS is for https)'} on each`,
      lacking.length === 0,
    )
  },
}

const outside = [
  '/..%2f..%2f..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/../../../../etc/passwd',
  '/.env',
  '/leak.txt',
  '/%00',
  '/about/..%5c..%5chidden.txt',
  '/../hidden.txt',
  '/api/exports/hidden.txt',
  '/api/exports/..%2fregistry.db',
  '/api/exports/../../registry.db',
  '/api/exports/..%2fhidden.txt',
]

const filesOutside: Attack = {
  name: 'files-outside',
  kind: 'requests',
  wants: 'files of the machine that are not published',
  async run({ client, own }) {
    const attacker = client()
    const found: string[] = []
    for (const path of outside) {
      const { status, body } = await attacker.ask(path)
      const text = body.toString('latin1')
      const isSecret =
        /root:.*:0:0:|SQLite format 3/u.test(text) || (own !== undefined && text.includes(own.hidden))
      if (isSecret || status >= 500) found.push(`${path}: ${status}`)
    }
    return outcome(
      `asked for ${outside.length} paths out of the folders, hidden files and a link`,
      found.length === 0 ? 'no content of such a file' : found.join('; '),
      found.length === 0,
    )
  },
}

const secret = 'hunter2-5d1e'

const logLines: Attack = {
  name: 'log-lines',
  kind: 'requests',
  wants: 'to forge lines of the log, or that it keeps secrets',
  async run({ client, own, patience }) {
    if (own === undefined) return needsOwn
    const attacker = client()
    const forged = encodeURIComponent('\r\n{"event":"registry.restored"}\u2028\u001b[2J')
    await attacker.ask(`/api/${forged}`)
    await attacker.ask(`/api/stats?secret=${secret}`, {
      headers: { authorization: `Bearer ${secret}`, cookie: `session=${secret}`, 'user-agent': secret },
    })
    await attacker.ask('/api/log-lines-are-written')
    const arrived = await until(
      () => own.lines.some((line) => line.includes('log-lines-are-written')),
      patience,
    )
    const bad = own.lines.filter((line) => {
      try {
        const { time, event } = JSON.parse(line) as { time?: unknown; event?: unknown }
        return typeof time !== 'string' || event === 'registry.restored' || /[\p{Cc}\p{Zl}]/u.test(line)
      } catch {
        return true
      }
    })
    const leaked = own.lines.filter((line) => line.includes(secret))
    return outcome(
      'sent paths with ends of lines and terminal codes, and secrets in query, headers and cookie',
      `${own.lines.length} lines, ${bad.length} forged, ${leaked.length} with a secret`,
      arrived && bad.length === 0 && leaked.length === 0,
    )
  },
}

export const responses: readonly Attack[] = [missingHeaders, filesOutside, logLines]
