import { writing } from './contributions.ts'
import { outcome, until, within, type Attack } from './attempt.ts'
import { atOnce, countOf, headOf, memberOf, xpOf, type Writer, type Written } from './writer.ts'

/** Attacks on moderators, and by users without that role. */

interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
}

/** Operations of the moderation tag that are open to all users. */
const forEverybody: ReadonlySet<string> = new Set(['listModerationActs', 'createReport'])

/** Request bodies of a moderator, with all fields that any endpoint has. */
const bodies = {
  reason: 'Because',
  since: '2020-01-01T00:00:00Z',
  into: 2,
  from: 2,
  state: 'done',
  dryRun: true,
  decisions: [{ id: 1, decision: 'skip' }],
  where: { ids: [1] },
  set: { season: '04-01/10-31' },
  ids: [1],
  season: '04-01/10-31',
}

const moderatorsOnly = writing(
  {
    name: 'moderators-only',
    kind: 'moderation',
    wants: 'the rights of a moderator, or to learn what only moderators see',
  },
  async (write, own) => {
    const { paths } = (await write('GET', '/api/openapi')).body as {
      paths: Record<string, Record<string, Operation>>
    }
    const operations = Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods)
        .filter(([, { tags, operationId }]) => tags?.includes('Moderation') && !forEverybody.has(operationId))
        .map(([method]) => ({ method: method.toUpperCase(), route })),
    )
    const { vandal } = own.people
    await write('POST', '/api/reports', { as: vandal, body: { bubblerId: own.edited.id, reason: 'wrong' } })
    const head = await headOf(write)
    const acts = (await write('GET', '/api/moderation/acts?limit=100')).text
    const strangers = {
      ...own.secrets,
      vandal,
      'token of the moderator': own.moderatorsToken,
    } satisfies Record<string, Readonly<Record<string, string>>>
    const found: string[] = []
    let made = 0
    for (const { method, route } of operations) {
      const isOfPerson = route.includes('/people/')
      for (const [who, as] of Object.entries(strangers)) {
        if (who === 'moderator') continue
        // Existing and missing subjects must be indistinguishable to users without the right.
        const [there, nowhere] = await Promise.all(
          ['1', '999999'].map((id) => {
            const path = route.includes('/users/')
              ? route.replace('{id}', id === '1' ? 'regular' : 'nobody-has-it')
              : route.replace('{id}', id)
            const query =
              method === 'GET'
                ? `?kind=${isOfPerson ? 'waypoints' : 'reported'}`
                : method === 'DELETE'
                  ? '?from=2'
                  : ''
            return write(method, path + query, {
              as,
              ...(method !== 'GET' && method !== 'DELETE' && { body: bodies }),
            })
          }),
        )
        made += 2
        if (there === undefined || nowhere === undefined) continue
        // API tokens are the operator's: they read, decide about imports, and change many, here as dry runs.
        const isOfOperator = method === 'GET' || /\/(?:doubtful|waypoints|season)$/u.test(route)
        const isToken = as['authorization'] !== undefined && who !== 'bad token'
        const isReader = isToken && isOfOperator && !isOfPerson && who !== 'token of the moderator'
        const isHeld = isReader
          ? there.status === 200 && !there.text.includes('Name of vandal')
          : [401, 403].includes(there.status) && there.text === nowhere.text
        if (!isHeld) found.push(`${method} ${route} as ${who}: ${there.status}, ${nowhere.status}`)
      }
    }
    // The ordinary edit sets flags; for others it leaves them unchanged.
    await write('PATCH', `/api/waypoints/${own.edited.id}`, { as: vandal, body: { approved: true } })
    const { body } = await write('GET', `/api/waypoints/${own.edited.id}`)
    const isApproved = memberOf(body, 'waypoint')['approved'] === true
    const isSame =
      (await headOf(write)) === head && (await write('GET', '/api/moderation/acts?limit=100')).text === acts
    return outcome(
      `asked for ${operations.length} acts of moderators as ${Object.keys(strangers).length - 1} others, ${made} times`,
      found.length > 0
        ? found.slice(0, 3).join('; ')
        : isSame && !isApproved
          ? 'each refused alike, whether it was there or not; nothing changed'
          : 'something changed',
      found.length === 0 && isSame && !isApproved && operations.length >= 9,
    )
  },
)

/** The sum of reverting all changes of a user, page by page, as the desk does. */
async function revertAll(write: Writer, userId: string, as: Readonly<Record<string, string>>) {
  let [reverted, conflicts] = [0, 0]
  for (let before: unknown; ;) {
    const { status, body } = await write('POST', `/api/users/${userId}/revert`, {
      as,
      body: { since: '2020-01-01T00:00:00Z', reason: 'Vandalism', before },
    })
    if (status !== 200) throw new Error(`reverting ${userId} was answered with ${status}`)
    const { next, ...page } = body as Record<'reverted' | 'conflicts', unknown[]> & { next?: unknown }
    reverted += page.reverted.length
    conflicts += page.conflicts.length
    if (next === undefined) return { reverted, conflicts }
    before = next
  }
}

const ongoingVandalism = writing(
  {
    name: 'vandal-goes-on',
    kind: 'moderation',
    wants: 'that vandalism stays, since it goes on while it is undone',
  },
  async (write, own) => {
    const { moderator } = own.secrets
    const { vandal, rival } = own.people
    const names = Array.from({ length: 5 }, (_, number) => `Rival’s ${number}`)
    const ids: number[] = []
    for (const [number, name] of names.entries()) {
      const body = { name, latitude: -60 - number / 100, longitude: 100 }
      ids.push(Number((await write('POST', '/api/waypoints', { as: rival, body })).body['id']))
    }
    // The vandal's changes in other attacks are out of scope.
    const { conflicts } = await revertAll(write, 'vandal', moderator)
    const xp = await xpOf(write, vandal)
    const edit = (number: number) =>
      write('PATCH', `/api/waypoints/${ids[number % 5]}`, {
        as: vandal,
        body: { name: `Rubbish ${number}` },
      })
    await atOnce(30, edit)
    const over = new AbortController()
    let number = 1000
    const writers = atOnce(4, async () => {
      const all: Written[] = []
      while (!over.signal.aborted) all.push(await edit(number++))
      return all
    })
    await until(() => number > 1040, 10_000)
    const once = await revertAll(write, 'vandal', moderator)
    const blocked = await write('POST', '/api/users/vandal/block', {
      as: moderator,
      body: { reason: 'Vandalism' },
    })
    // Each of them has been refused by then.
    await until(async () => (await edit(number++)).status === 403, 10_000)
    over.abort()
    const written = (await writers).flat()
    const twice = await revertAll(write, 'vandal', moderator)
    const late = await edit(number++)
    const after = await Promise.all(
      ids.map(async (id) => {
        const { body } = await write('GET', `/api/waypoints/${id}`)
        return memberOf(body, 'waypoint')['name']
      }),
    )
    const xpAfter = await xpOf(write, vandal)
    await write('DELETE', '/api/users/vandal/block', { as: moderator })
    const isAsBefore = names.every((name, at) => after[at] === name) && xpAfter === xp
    return outcome(
      `${30 + countOf(written, 200)} edits of five fountains, four at a time, while a moderator undid and blocked`,
      `${once.reverted} and ${twice.reverted} undone, ${twice.conflicts - conflicts} left; ${isAsBefore ? 'all' : 'not all'} as before`,
      isAsBefore && blocked.status === 200 && late.status === 403 && twice.conflicts === conflicts,
    )
  },
)

const floodUndone = writing(
  {
    name: 'flood-undone',
    kind: 'moderation',
    wants: 'that undoing what they did stops the server',
  },
  async (write, own, { client, patience }) => {
    const other = client()
    const path = '/api/users/flooder/revert'
    const body = { since: '2020-01-01T00:00:00Z', reason: 'Vandalism', dryRun: true }
    const undoing = write('POST', path, { as: own.secrets.moderator, body })
    // Far above the time of reading the fountain's history once, far below that of reading it for each entry.
    const deadline = Math.min(15_000, patience)
    const isAnswered = (await within(other.statusOf('/api/health'), deadline)) === 200
    const page = await undoing
    const { reverted } = page.body as { reverted?: readonly unknown[] }
    return outcome(
      `edited one fountain ${own.edited.edits} times, which a moderator undoes`,
      `${page.status} with ${reverted?.length} entries; another client ${isAnswered ? 'got its response meanwhile' : 'waited'}`,
      isAnswered && reverted?.length === Math.min(500, own.edited.edits),
    )
  },
)

const rogueModerator = writing(
  {
    name: 'rogue-moderator',
    kind: 'moderation',
    wants: 'to empty the registry with the session of a moderator, for good',
  },
  async (write, own) => {
    const { moderator } = own.secrets
    const { rival } = own.people
    const revert = (id: string) =>
      write('POST', `/api/users/${id}/revert`, {
        as: moderator,
        body: { since: '2020-01-01T00:00:00Z', reason: 'Mine', evenBuiltIn: true },
      })
    const builtIn = await Promise.all(['api', 'observer'].map(revert))
    const place = { name: 'Rival’s last', latitude: -61, longitude: 101 }
    const id = Number((await write('POST', '/api/waypoints', { as: rival, body: place })).body['id'])
    const xp = await xpOf(write, rival)
    const reverted = await revert('rival')
    const acts = (await write('GET', '/api/moderation/acts?limit=1')).body['acts'] as { id: number }[]
    const undone = await write('POST', `/api/moderation/acts/${acts[0]?.id}/undo`, {
      as: moderator,
      body: { reason: 'It was right' },
    })
    const isBack =
      (await write('GET', `/api/waypoints/${id}`)).status === 200 && (await xpOf(write, rival)) === xp
    return outcome(
      'took back what imports, programs, observers and a person did',
      `${countOf(builtIn, 403)} of 2 refused; of the person’s ${reverted.status}, undone ${undone.status}, ${isBack ? 'all is back' : 'not all is back'}`,
      countOf(builtIn, 403) === 2 && reverted.status === 200 && undone.status === 200 && isBack,
    )
  },
)

const mendedSince = writing(
  {
    name: 'vandal-mended-since',
    kind: 'moderation',
    wants: 'that vandalism stays because somebody mended a part of it',
  },
  async (write, own) => {
    const { rival, vandal } = own.people
    const place = { name: 'Well', description: 'By the gate', latitude: -62, longitude: 102 }
    const made = (await write('POST', '/api/waypoints', { as: rival, body: place })).body
    const path = `/api/waypoints/${String(made['id'])}`
    await write('PATCH', path, { as: vandal, body: { name: 'Foul', description: 'Foul', latitude: -63 } })
    await write('PATCH', path, { as: rival, body: { description: 'By the old gate' } })
    const reverted = await write('POST', '/api/users/vandal/revert', {
      as: own.secrets.moderator,
      body: { since: made['createdAt'], reason: 'Vandalism' },
    })
    const { name, description, latitude } = memberOf((await write('GET', path)).body, 'waypoint')
    const found = [name, description, latitude].map(String).join(', ')
    return outcome(
      'changed name, description and position of a fountain, whose description was mended since',
      `${reverted.status}; it has ${found}`,
      found === 'Well, By the old gate, -62',
    )
  },
)

export const moderating: readonly Attack[] = [
  moderatorsOnly,
  ongoingVandalism,
  floodUndone,
  rogueModerator,
  mendedSince,
]
