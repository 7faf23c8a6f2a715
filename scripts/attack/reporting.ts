import { started } from '@openfountain/testing/command/shell'
import { outcome, type Attack } from './attempt.ts'
import { writing } from './contributions.ts'
import { atOnce, countOf, headOf, memberOf, statusesOf } from './writer.ts'

/** Attacks on the moderators' queues, and by blocked users. */

const manyReports = writing(
  {
    name: 'report-flood',
    kind: 'moderation',
    wants: 'that moderators find nothing among reports',
  },
  async (write, own) => {
    const { reporting } = own.people
    const total = async () =>
      Number(
        (await write('GET', '/api/moderation/queue?kind=reported&limit=1', { as: own.secrets.moderator }))
          .body['total'],
      )
    const before = await total()
    const report = (bubblerId: number, comment = 'x'.repeat(400)) =>
      write('POST', '/api/reports', { as: reporting, body: { bubblerId, reason: 'wrong', comment } })
    const same = await atOnce(20, (number) => report(own.edited.id + 1, `Again ${number}`))
    const afterSame = await total()
    const all = await atOnce(130, (number) => report(own.edited.id + 1 + number))
    const anonymousReports = await atOnce(10, () =>
      write('POST', '/api/reports', { body: { bubblerId: own.edited.id, reason: 'wrong' } }),
    )
    const ids = new Set(same.map(({ body }) => memberOf(body, 'report')['id']))
    const added = (await total()) - before
    return outcome(
      'reported one fountain 20 times at once, 130 fountains at once, and ten times without an account',
      `${ids.size} report of the one; of the others ${statusesOf(all)}; without an account ${statusesOf(anonymousReports)}`,
      ids.size === 1 &&
        afterSame - before <= 1 &&
        added <= 100 &&
        countOf(all, 201) === 100 &&
        countOf(all, 429) === 30 &&
        countOf(anonymousReports, 401) === 10,
    )
  },
)

const forged = 'SINCE  WHAT  Second line'
/** Refused in names, and harmless in other texts. */
const turned = '\u202Egnirts \u2066hidden\u2069'
const words = [
  '<img src=x onerror=alert(1)></script>',
  '","isModerator":true,"x":"',
  turned,
  'Line\u2028and\u2029paragraph',
  '=HYPERLINK("http://evil.example")',
  `First line\n${forged}`,
  '{{constructor.constructor("x")()}} ${x} %s',
]
/** Refused as text anywhere. */
const controls = ['\u001B[2J\u001B]0;owned\u0007', 'a\u0000b', '\uD800']

const hostileWords = writing(
  {
    name: 'hostile-words',
    kind: 'moderation',
    wants: 'to reach moderators with more than text, by names, comments and reasons',
  },
  async (write, own) => {
    const { moderator } = own.secrets
    const { rival } = own.people
    const wrong: string[] = []
    for (const [number, text] of [...words, ...controls].entries()) {
      const name = text.slice(0, 60)
      const isText = number < words.length
      const made = await write('POST', '/api/waypoints', {
        as: rival,
        body: { name, latitude: -61, longitude: 100 + number },
      })
      if ((made.status === 201) !== (isText && text !== turned)) wrong.push(`name ${number}: ${made.status}`)
      const id = made.status === 201 ? Number(made.body['id']) : own.edited.id
      const review = await write('POST', '/api/reviews', {
        as: rival,
        body: { bubblerId: id, rating: 1, comment: text },
      })
      const report = await write('POST', '/api/reports', {
        as: rival,
        body: { bubblerId: id, reason: 'offensive', comment: text },
      })
      const block = await write('POST', '/api/users/rival/block', { as: moderator, body: { reason: text } })
      await write('DELETE', '/api/users/rival/block', { as: moderator })
      for (const [what, { status }] of Object.entries({ review, report, block }))
        if (status < 300 !== isText && !(what === 'review' && status === 403))
          wrong.push(`${what} ${number}: ${status}`)
    }
    const queue = await write('GET', '/api/moderation/queue?kind=reported&limit=100', { as: moderator })
    const acts = await write('GET', '/api/moderation/acts?limit=100')
    for (const { headers } of [queue, acts]) {
      if (!String(headers['content-type']).startsWith('application/json')) wrong.push('another media type')
      if (headers['x-content-type-options'] !== 'nosniff') wrong.push('no nosniff')
    }
    const items = JSON.stringify(queue.body['items'])
    const listed = JSON.stringify(acts.body['acts'])
    for (const text of words)
      for (const all of [items, listed])
        if (!all.includes(JSON.stringify(text).slice(1, -1)))
          wrong.push(`${JSON.stringify(text)} is not as written`)
    // JSON may contain control sequences, which a terminal executes.
    const shown = await Promise.all(
      [
        ['moderate', 'queue', 'reported', '--limit', '100'],
        ['moderate', 'acts', '--limit', '100'],
      ].map((args) => started([...args, '--db', own.database]).end),
    )
    for (const { code, stdout: text } of shown)
      if (code !== 0 || /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(text))
        wrong.push('a terminal would obey')
    if (shown.some(({ stdout }) => stdout.split('\n').some((line) => line.startsWith(forged))))
      wrong.push('a forged line')
    return outcome(
      `${words.length + controls.length} hostile texts as names, comments and reasons`,
      wrong.length === 0 ? 'text in queue, acts and terminal, or refused' : wrong.slice(0, 4).join('; '),
      wrong.length === 0,
    )
  },
)

const blockedWaiting = writing(
  {
    name: 'blocked-waiting',
    kind: 'moderation',
    wants: 'to write although blocked, with what still waits on a phone',
  },
  async (write, own) => {
    const { moderator } = own.secrets
    const { waiting } = own.people
    const act = (name: string) =>
      write('POST', '/api/waypoints', {
        as: waiting,
        body: { name, latitude: -62, longitude: 100 },
        headers: { 'idempotency-key': `waiting ${name}` },
      })
    const secret = await write('POST', '/api/user/tokens', { as: waiting, body: { name: 'Program' } })
    const before = await act('Before')
    const head = await headOf(write)
    await write('POST', '/api/users/waiting/block', { as: moderator, body: { reason: 'Spam' } })
    const id = Number(before.body['id'])
    const bearer = { authorization: `Bearer ${String(secret.body['token'])}` }
    const requests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ['PATCH', `/api/waypoints/${id}`, { name: 'Blocked' }],
      ['POST', '/api/waypoints', { name: 'Blocked', latitude: -63, longitude: 100 }],
      ['POST', '/api/reviews', { bubblerId: id, rating: 1 }],
      ['POST', '/api/reports', { bubblerId: id, reason: 'wrong' }],
      ['PATCH', '/api/user', { name: 'Blocked' }],
      ['POST', '/api/user/tokens', { name: 'Blocked' }],
    ]
    const all = [
      // A finished request that is only repeated, and queued ones.
      await act('Before'),
      ...(await atOnce(5, (number) => act(`Waiting ${number}`))),
      ...(await Promise.all(
        [waiting, bearer].flatMap((as) =>
          requests.map(([method, path, body]) => write(method, path, { as, body })),
        ),
      )),
    ]
    // The block is the only entry.
    const entries = (await headOf(write)) - head
    const profile = await write('GET', '/api/user', { as: waiting })
    await write('DELETE', '/api/users/waiting/block', { as: moderator })
    const later = await atOnce(5, () => act('Waiting 0'))
    const ids = new Set(later.map(({ body }) => body['id']))
    return outcome(
      'sent what waited, and every other write, by session and personal token, while blocked; and again when no longer',
      `${statusesOf(all)}, ${entries} entry; then ${statusesOf(later)} of ${ids.size} fountain`,
      all.every(({ status }) => status === 403 || status === 401) &&
        entries === 1 &&
        profile.status === 200 &&
        countOf(later, 201) === 5 &&
        ids.size === 1,
    )
  },
)

/** The flood comes last, since its reports are first in the queue. */
export const reporting: readonly Attack[] = [hostileWords, blockedWaiting, manyReports]
