import { openRegistry } from '@openfountain/core'
import { needsOwn, needsSeveralClients, outcome, type Attack, type Outcome, type Setting } from './attempt.ts'
import type { Instance } from './instance.ts'
import { atOnce, countOf, headOf, memberOf, statusesOf, writerOf, xpOf, type Writer } from './writer.ts'

/** Attacks on contributions: double counting, overwriting, and missing rights. */

/** An attack that writes from several addresses. */
export const writing = (
  facts: Pick<Attack, 'name' | 'kind' | 'wants' | 'fullOnly'>,
  run: (write: Writer, own: Instance, setting: Setting) => Promise<Outcome>,
): Attack => ({
  ...facts,
  async run(setting) {
    const { own, hasSeveralClients } = setting
    if (own === undefined) return needsOwn
    if (!hasSeveralClients) return needsSeveralClients
    return run(writerOf(setting, own), own, setting)
  },
})

const idOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): number => Number(body['id'])
const key = (name: string) => ({ 'idempotency-key': `attack ${name}` })
let northernmost = 60
/** A place far from all others. */
const place = (name: string) => ({ name, latitude: (northernmost += 0.01), longitude: 100 })

const replayedKeys = writing(
  {
    name: 'replayed-keys',
    kind: 'contributions',
    wants: 'that one request counts twice, or the response to somebody else’s',
  },
  async (write, own) => {
    const { vandal, rival } = own.people
    const fountain = place('Twice')
    const xp = await xpOf(write, vandal)
    const add = (as: Readonly<Record<string, string>>, body: unknown = fountain) =>
      write('POST', '/api/waypoints', { as, body, headers: key('add') })
    const same = await atOnce(20, () => add(vandal))
    const id = same[0] === undefined ? 0 : idOf(same[0])
    const earned = (await xpOf(write, vandal)) - xp
    const ofOne = await xpOfOne(write, own)
    const others = [
      await add(vandal, { ...fountain, name: 'Another body' }),
      await write('PATCH', `/api/waypoints/${id}`, {
        as: vandal,
        body: { name: 'Another request' },
        headers: key('add'),
      }),
      await write('POST', '/api/waypoints?unlessNear=1', { as: vandal, body: fountain, headers: key('add') }),
    ]
    const strangers = [await add(rival), await add(own.secrets.newcomer), await add({})]
    // Of reviews with one key and several texts at most one is created.
    const review = (comment: string) => ({
      as: rival,
      body: { bubblerId: id, rating: 1, comment },
      headers: key('review'),
    })
    const reviews = await atOnce(20, (number) => write('POST', '/api/reviews', review(`Text ${number}`)))
    const kept = (await write('GET', `/api/reviews?bubblerId=${id}`)).body['reviews']
    const [taken, poor, withoutUser] = strangers
    const made = same.filter(({ status, isReplayed }) => status === 201 && !isReplayed).length
    const holds =
      made === 1 &&
      same.every((each) => each.status === 201 && idOf(each) === id) &&
      others.every(({ status }) => status === 422) &&
      taken?.status === 201 &&
      idOf(taken) !== id &&
      strangers.every(({ isReplayed }) => !isReplayed) &&
      poor?.status === 403 &&
      withoutUser?.status === 401 &&
      earned === ofOne &&
      Array.isArray(kept) &&
      kept.length === 1 &&
      countOf(reviews, 201) + countOf(reviews, 422) === 20
    return outcome(
      'sent one key 20 times at once, with other bodies, by other people, and for 20 reviews at once',
      `${made} made, other requests ${statusesOf(others)}, other people ${statusesOf(strangers)}, reviews ${statusesOf(reviews)}`,
      holds,
    )
  },
)

/** The XP of one more fountain. */
async function xpOfOne(write: Writer, { people: { vandal } }: Instance): Promise<number> {
  const before = await xpOf(write, vandal)
  await write('POST', '/api/waypoints', { as: vandal, body: place('One more') })
  return (await xpOf(write, vandal)) - before
}

const overwritten = writing(
  {
    name: 'overwritten-edits',
    kind: 'contributions',
    wants: 'to overwrite what somebody wrote a moment before',
  },
  async (write, own) => {
    const made = await write('POST', '/api/waypoints', { as: own.people.vandal, body: place('Raced') })
    const path = `/api/waypoints/${idOf(made)}`
    const tag = String((await write('GET', path)).headers['etag'])
    const before = await headOf(write)
    const all = await atOnce(20, (number) => {
      const as = number % 2 === 0 ? own.people.vandal : own.people.rival
      const headers = { 'if-match': tag }
      return number === 19
        ? write('DELETE', path, { as: own.secrets.moderator, headers })
        : write('PATCH', path, { as, body: { description: `Writer ${number}` }, headers })
    })
    const entries = (await headOf(write)) - before
    const late = all.filter(({ status }) => status === 412)
    const now = await write('GET', path)
    const shown = late.every(({ body }) => {
      const { description } = memberOf(memberOf(body, 'details'), 'waypoint')
      return now.status === 404 || description === memberOf(now.body, 'waypoint')['description']
    })
    return outcome(
      '20 writes at once by three people, each if the fountain is as it was',
      `${statusesOf(all)}, ${entries} entry of the log${shown ? '' : '; a refusal shows another state'}`,
      countOf(all, 200) === 1 &&
        entries === 1 &&
        shown &&
        late.length + countOf(all, 200) + countOf(all, 404) === 20,
    )
  },
)

const sameFountain = writing(
  {
    name: 'same-fountain-twice',
    kind: 'contributions',
    wants: 'that one fountain is there many times, although each asked whether it is',
  },
  async (write, own) => {
    const { latitude, longitude } = place('Same')
    const all = await atOnce(20, (number) =>
      write('POST', '/api/waypoints?unlessNear=30', {
        as: number % 2 === 0 ? own.people.vandal : own.people.rival,
        body: { name: `Same ${number}`, latitude: latitude + number / 1_000_000, longitude },
        headers: key(`same ${number}`),
      }),
    )
    return outcome(
      'added 20 fountains within two metres at once, unless there is one within 30 m',
      statusesOf(all),
      countOf(all, 201) === 1 && countOf(all, 409) === 19,
    )
  },
)

const firstDay = writing(
  {
    name: 'first-day',
    kind: 'contributions',
    wants: 'to flood the map with an account that is a minute old',
  },
  async (write, own) => {
    const as = own.people.fresh
    const creates = await atOnce(30, (number) =>
      write('POST', '/api/waypoints', {
        as,
        body: place(`Flood ${number}`),
        headers: key(`flood ${number}`),
      }),
    )
    const first = creates.find(({ status }) => status === 201)
    const path = `/api/waypoints/${first === undefined ? 0 : idOf(first)}`
    const edits = await atOnce(80, (number) =>
      write('PATCH', path, { as, body: { description: `Flood ${number}` } }),
    )
    // Neither a repetition nor a refused key is a bypass.
    const again = await atOnce(30, (number) =>
      write('POST', '/api/waypoints', {
        as,
        body: creates[number]?.status === 201 ? place('Other') : place(`Again ${number}`),
        headers: key(`flood ${number}`),
      }),
    )
    const about = { bubblerId: own.edited.id }
    const reviews = await atOnce(30, () =>
      write('POST', '/api/reviews', { as, body: { ...about, rating: 1 } }),
    )
    // With one more voice it would be broken.
    await write('POST', '/api/observations', { as, body: { ...about, kind: 'broken' } })
    const heard = await write('POST', '/api/observations', {
      as: own.people.rival,
      body: { ...about, kind: 'broken' },
    })
    const { state } = memberOf(heard.body, 'status')
    const listed = (await write('GET', '/api/waypoints?limit=50')).body['waypoints']
    const all = listed as readonly { readonly id: number }[]
    const seen = await atOnce(50, (number) =>
      write('POST', '/api/observations', { as, body: { bubblerId: all[number]?.id, kind: 'works' } }),
    )
    const refused = [...creates, ...edits, ...reviews, ...seen].filter(({ status }) => status === 429)
    const holds =
      countOf(creates, 201) === 20 &&
      countOf(edits, 200) === 60 &&
      countOf(again, 201) === 0 &&
      countOf(reviews, 201) === 20 &&
      countOf(seen, 201) === 39 &&
      state === 'reported' &&
      refused.length === 51 &&
      refused.every(({ headers }) => Number(headers['retry-after']) > 60)
    return outcome(
      'added 30 fountains, edited one 80 times, reviewed another 30 times and said 51 times what fountains do, on the first day of an account',
      `added ${statusesOf(creates)}, edited ${statusesOf(edits)}, added again ${statusesOf(again)}, reviewed ${statusesOf(reviews)}, said ${statusesOf(seen)}: ${String(state)}`,
      holds,
    )
  },
)

const smallToken = writing(
  {
    name: 'small-token',
    kind: 'contributions',
    wants: 'to remove all areas of the map with a token that may only add fountains',
  },
  async (write, own) => {
    const registry = await openRegistry({ database: own.database })
    const tokens = await Promise.all(
      (['read', 'contribute', 'moderate'] as const).map((scope) =>
        registry.tokens.create({ name: `small ${scope}`, scope }),
      ),
    )
    await registry.close()
    const coordinates = [
      [
        [13, 55],
        [14, 55],
        [14, 56],
        [13, 55],
      ],
    ]
    const as = own.secrets.token
    const made = await write('POST', '/api/boundingboxes', { as, body: { name: 'Lund', coordinates } })
    const { id } = memberOf(made.body, 'boundingBox')
    const path = `/api/boundingboxes?id=${String(id)}`
    const removed = await Promise.all(
      tokens.map(({ token }) => write('DELETE', path, { as: { authorization: `Bearer ${token}` } })),
    )
    const byOperator = await write('DELETE', path, { as })
    const back = await write('POST', `/api/boundingboxes/${String(id)}/restore`, { as })
    return outcome(
      'removed an area with a token of each smaller scope; then with the largest, and brought it back',
      `${statusesOf(removed)}; ${byOperator.status}, ${back.status}`,
      countOf(removed, 403) === 3 && byOperator.status === 200 && back.status === 200,
    )
  },
)

export const contributions: readonly Attack[] = [
  smallToken,
  replayedKeys,
  overwritten,
  sameFountain,
  firstDay,
]
