import { setTimeout as pause } from 'node:timers/promises'
import { defaultRules } from '@openfountain/core'
import type { Contributors, Person } from './people.ts'
import type { Tally } from './tally.ts'

/** Ordinary clients: nine reads in ten requests, the rest contributions. */

export interface SoakRun {
  readonly url: string
  readonly contributors: Contributors
  /** Waypoints at the beginning. */
  readonly waypoints: number
  readonly random: () => number
  readonly tally: Tally
  readonly over: AbortSignal
}

const { xp } = defaultRules

/** Sends a request, and counts a status that is not expected as a problem. */
async function ask(
  { url, tally }: SoakRun,
  kind: string,
  path: string,
  options: RequestInit & { readonly may?: readonly number[] } = {},
): Promise<unknown> {
  const { may = [200], ...request } = options
  try {
    const response = await fetch(url + path, { ...request, signal: AbortSignal.timeout(60_000) })
    const text = await response.text()
    tally.count(`${kind} ${response.status}`)
    if (!may.includes(response.status))
      tally.problem(`${kind} ${path} got ${response.status}: ${text.slice(0, 200)}`)
    if (response.status === 503 && !response.headers.has('retry-after'))
      tally.problem(`${kind}: a 503 without Retry-After`)
    return JSON.parse(text)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    tally.problem(`${kind} ${path} failed: ${String(error)}${cause}`)
    return undefined
  }
}

const reads: readonly ((run: SoakRun) => readonly [kind: string, path: string, ...may: number[]])[] = [
  ({ random, waypoints }) => ['by id', `/api/waypoints/${1 + Math.floor(random() * waypoints)}`],
  ({ random, waypoints }) => ['by id', `/api/waypoints/${1 + Math.floor(random() * waypoints)}`],
  ({ random }) => {
    const [west, south] = [random() * 250 - 120, random() * 90 - 40]
    return ['box', `/api/waypoints?bbox=${west},${south},${west + 0.2},${south + 0.2}`]
  },
  ({ random }) => ['near', `/api/waypoints?near=${random() * 180 - 90},${random() * 360 - 180}&limit=10`],
  ({ random }) => {
    const queries = [
      'fountain',
      'linden',
      'quellnymphe',
      'fo',
      'untai',
      'zzyqx',
      'soak',
      'water tap 12',
      '飲み',
    ]
    return [
      'search',
      `/api/waypoints/search?q=${encodeURIComponent(queries[Math.floor(random() * queries.length)] ?? '')}`,
    ]
  },
  () => ['recent', '/api/logs/recent'],
  () => ['statistics', '/api/stats'],
  () => ['leaderboard', '/api/user/leaderboard'],
  ({ random, waypoints }) => ['reviews', `/api/reviews?bubblerId=${1 + Math.floor(random() * waypoints)}`],
]

function json(person: Pick<Person, 'headers'>, method: string, body: unknown): RequestInit {
  return {
    method,
    headers: { ...person.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

async function create(run: SoakRun, person: Person): Promise<void> {
  const { random } = run
  const waypoint = {
    name: `Soak fountain ${Math.floor(random() * 1e9)}`,
    latitude: random() * 100 - 40,
    longitude: random() * 250 - 110,
    amenities: ['tap'],
  }
  const options = { ...json(person, 'POST', waypoint), may: [201] }
  const made = (await ask(run, 'create', '/api/waypoints', options)) as { id?: number } | undefined
  if (made?.id === undefined) return
  person.made.push(made.id)
  person.xp += xp.createWaypoint
}

async function edit(run: SoakRun, person: Person): Promise<void> {
  const id = person.made[Math.floor(run.random() * person.made.length)]
  if (id === undefined) return create(run, person)
  const description = `Seen ${run.random()}`
  const edited = (await ask(run, 'edit', `/api/waypoints/${id}`, json(person, 'PATCH', { description }))) as
    | { id?: number }
    | undefined
  if (edited?.id !== undefined) person.xp += xp.editWaypoint
}

async function review(run: SoakRun, person: Person): Promise<void> {
  const { random, waypoints } = run
  const body = { bubblerId: 1 + Math.floor(random() * waypoints), rating: 1 + Math.floor(random() * 5) }
  const options = { ...json(person, 'POST', body), may: [201] }
  const posted = (await ask(run, 'review', '/api/reviews', options)) as { review?: unknown } | undefined
  if (posted?.review !== undefined) person.xp += xp.postReview
}

/** Verifies a contributor's newest waypoint once, by the token; its creator earns the bonus. */
async function verify(run: SoakRun, person: Person): Promise<void> {
  const id = person.made.pop()
  if (id === undefined) return review(run, person)
  const body = json({ headers: run.contributors.token }, 'PATCH', { verified: true })
  const response = (await ask(run, 'verify', `/api/waypoints/${id}`, body)) as
    | { verified?: boolean }
    | undefined
  if (response?.verified === true) person.xp += xp.waypointVerified
}

const writes = [create, edit, edit, review, review, verify]

/** One person's client: a request after another, with a moment between them. */
export async function contribute(run: SoakRun, person: Person): Promise<void> {
  const { random, over } = run
  while (!over.aborted) {
    if (random() < 0.1) await writes[Math.floor(random() * writes.length)]?.(run, person)
    else {
      const [kind = '', path = ''] = reads[Math.floor(random() * reads.length)]?.(run) ?? []
      if (kind !== '') await ask(run, kind, path)
    }
    await pause(random() * 20)
  }
}

/** A client that requests everything again and again; 503 is a valid response to it. */
export async function hoard(run: SoakRun): Promise<void> {
  const paths = ['/api/waypoints', '/api/waypoints?amenity=tap', '/api/reviews']
  while (!run.over.aborted) {
    const path = paths[Math.floor(run.random() * paths.length)] ?? '/api/waypoints'
    await ask(run, 'heavy', path, { may: [200, 503] })
    await pause(500 + run.random() * 2000)
  }
}

/** A burst of heavy requests: those above the limit get a 503 with Retry-After. */
export async function burst({ url, tally, over }: SoakRun): Promise<void> {
  while (!over.aborted) {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const leave = new AbortController()
        try {
          const { status, headers } = await fetch(`${url}/api/waypoints`, { signal: leave.signal })
          if (status === 503 && !headers.has('retry-after')) tally.problem('burst: a 503 without Retry-After')
          return status
        } catch (error) {
          tally.problem(`burst failed: ${String(error)}`)
          return 0
        } finally {
          leave.abort()
        }
      }),
    )
    for (const status of statuses) tally.count(`burst ${status}`)
    if (!statuses.every((status) => status === 200 || status === 503))
      tally.problem(`burst: ${statuses.join(' ')}`)
    await pause(15_000, undefined, { signal: over }).catch(() => undefined)
  }
}
