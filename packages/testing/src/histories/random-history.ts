import { hash } from 'node:crypto'
import {
  type Actor,
  anonymous,
  type ImportRow,
  type Registry,
  RegistryError,
  type SourceInput,
  token,
  user,
} from '@openfountain/core'
import type { MissingRows } from '@openfountain/core/internal'
import { optionalFields, waypointFields, type Field } from '@openfountain/core/fields'
import { Chance } from '../chance.ts'
import { ring } from '../registry.ts'
import {
  hostileAddress,
  hostilePlace,
  hostileProperties,
  hostileRing,
  hostileText,
} from '../hostile-values.ts'

const refusals = /^(?:INVALID_INPUT|NOT_FOUND|CONFLICT|FORBIDDEN|UNAUTHORIZED|INSUFFICIENT_XP|RATE_LIMITED)$/u

const sources: readonly SourceInput[] = [
  { name: 'City of Lund', license: 'CC0-1.0' },
  { name: 'Ville de Genève', license: 'ODbL-1.0', url: 'https://example.org/eau', attribution: '© Genève' },
]

const hostileSources: readonly SourceInput[] = [
  {
    name: '=cmd|"</script>\u2028\u200f]]>../',
    license: 'CC0-1.0',
    url: 'https://example.org/"><script>alert(1)</script>',
    attribution: '<b onclick=x>](http://evil.example) \u2029& [a](b) \uffff',
  },
  { name: '__proto__', license: 'ODbL-1.0', attribution: '{{x}} ${y} %s\n# Heading\n---' },
]

const seasons = ['04-01/10-31', '11-15/02-29', '01-01/12-31', '07-04/07-04']

const notOffered = ['', 'NO', '__proto__', 'toString', '02-30/03-01', '٠٤-01/10-31'].concat(
  "04-01/10-31'--",
  '04-01/10-31\n',
)

const passing = ['works', 'dry'] as const
const seen = ['works', 'broken', 'dry', 'dirty', 'blocked', 'gone'] as const

type Write = (registry: Registry) => Promise<unknown>

const often = (weight: number, write: Write) => ({ weight, write })
type Kind = ReturnType<typeof often>

/** Each text has a unique number, so that erased ones can be searched for. Refused writes are part of it. */
export class RandomHistory {
  readonly chance: Chance
  /** Redacted texts, as far as they were strings of an entry. */
  readonly erased = new Set<string>()
  readonly done = new Map<string, number>()
  readonly #people: string[] = []
  readonly #rows = new Map<string, ImportRow[]>()
  readonly #isHostile: boolean
  #texts = 0
  #files = 0

  /** @param hostile whether texts, positions and areas are the worst accepted ones */
  constructor(seed: number, { hostile = false }: { readonly hostile?: boolean } = {}) {
    this.chance = new Chance(seed)
    this.#isHostile = hostile
  }

  #text(): string {
    const number = ++this.#texts
    if (this.#isHostile) return `${hostileText(this.chance)}Ünï${number}Zq${hostileText(this.chance)}`
    const tail = this.chance.pick(['', ' "quoted"', ' back\\slash', ' 飲み水', ' Straße', '\nline'])
    return `Ünï${number}Zq${tail}`
  }

  #actor(): Actor {
    return this.#people.length === 0 || this.chance.isIn(30) ? token() : user(this.#person())
  }

  #place() {
    if (this.#isHostile && this.chance.isIn(70)) return hostilePlace(this.chance)
    return {
      latitude: (this.chance.below(18_000) - 9000) / 100,
      longitude: (this.chance.below(36_000) - 18_000) / 100,
    }
  }

  #texted(percent: number): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (const field of optionalFields)
      if (this.chance.isIn(percent)) fields[field] = this.#value(waypointFields[field])
    if (this.chance.isIn(percent)) fields['amenities'] = ['wheelchair', this.#text().slice(0, 60).trim()]
    return fields
  }

  #value({ type, values = [] }: Field): string {
    if (type === 'text') return this.#text()
    if (type === 'address') return this.#image(++this.#texts)
    if (this.#isHostile && this.chance.isIn(10)) return this.chance.pick(notOffered)
    return this.chance.pick(type === 'choice' ? values : seasons)
  }

  #image(number: number): string {
    return this.#isHostile ? hostileAddress(this.chance, number) : `https://example.org/Uni${number}Zq.jpg`
  }

  #personName(ordinary: string): string {
    return this.#isHostile ? this.#text() : ordinary
  }

  #person(): string {
    return this.chance.pick(this.#people)
  }

  #reason() {
    return { reason: this.#text() }
  }

  async #anyWaypoint(registry: Registry): Promise<number> {
    const { totalWaypoints } = await registry.statistics()
    return 1 + this.chance.below(totalWaypoints + 5)
  }

  async #anyReview(registry: Registry): Promise<number> {
    return 1 + this.chance.below((await registry.statistics()).totalReviews + 3)
  }

  async #anyEntry(registry: Registry): Promise<number> {
    return 1 + this.chance.below((await registry.changes.head()).id + 1)
  }

  readonly #writes: Readonly<Record<string, Kind>> = {
    join: often(4, async ({ users }) => {
      const name = this.#personName(`Person ${this.#people.length}`)
      const given = { name, xp: this.chance.pick([0, 20, 500]), isModerator: this.chance.isIn(40) }
      this.#people.push((await users.create(given)).id)
    }),
    create: often(14, ({ waypoints }) => {
      const given = {
        name: this.#text(),
        ...this.#place(),
        ...this.#texted(40),
        ...(this.chance.isIn(30) && { approved: true }),
        ...(this.chance.isIn(30) && { verified: true }),
        ...(this.chance.isIn(20) && this.#people.length > 0 && { addedByUserId: this.#person() }),
      }
      const isNameless = this.#texts % 7 === 0
      return waypoints.create({ ...given, ...(isNameless && { nameIsMade: true }) }, this.#actor())
    }),
    edit: often(14, async (registry) => {
      const id = await this.#anyWaypoint(registry)
      const given = {
        ...this.#texted(30),
        ...(this.chance.isIn(30) && { name: this.#text() }),
        ...(this.chance.isIn(30) && this.#place()),
        ...(this.chance.isIn(20) && { description: null }),
        ...(this.chance.isIn(20) && { amenities: [] }),
      }
      return registry.waypoints.update(id, given, this.#actor())
    }),
    flag: often(6, async (registry) => {
      const id = await this.#anyWaypoint(registry)
      const flag = { [this.chance.pick(['approved', 'verified'])]: this.chance.isIn(60) }
      return registry.waypoints.update(id, flag, this.#actor())
    }),
    delete: often(5, async (registry) =>
      registry.waypoints.delete(await this.#anyWaypoint(registry), this.#actor()),
    ),
    restore: often(16, async (registry) =>
      registry.waypoints.restore(await this.#anyWaypoint(registry), this.#reason(), this.#actor()),
    ),
    merge: often(4, async (registry) => {
      const [id, into] = [await this.#anyWaypoint(registry), await this.#anyWaypoint(registry)]
      return registry.waypoints.merge(id, { into, ...this.#reason() }, this.#actor())
    }),
    revert: often(8, async (registry) =>
      registry.changes.revert(await this.#anyEntry(registry), this.#reason(), this.#actor()),
    ),
    'revert person': often(1, async (registry) => {
      const [person, before] = [this.#person(), await this.#anyEntry(registry)]
      const given = { since: '2026-01-01T00:00:00.000Z', before, ...this.#reason() }
      return registry.users.revert(person, given, this.#actor())
    }),
    review: often(10, async (registry) => {
      const bubblerId = await this.#anyWaypoint(registry)
      const rating = 1 + this.chance.below(5)
      const given = { bubblerId, rating, ...(this.chance.isIn(70) && { comment: this.#text() }) }
      return registry.reviews.create(given, this.#actor())
    }),
    observe: often(12, async (registry) => {
      const bubblerId = await this.#anyWaypoint(registry)
      const given = {
        bubblerId,
        kind: this.chance.pick(seen),
        ...(this.chance.isIn(50) && { near: { latitude: 55, longitude: 13, accuracy: 5 } }),
        ...(this.chance.isIn(50) && { comment: this.#text() }),
      }
      return registry.observations.create(given, this.chance.isIn(10) ? token() : this.#actor())
    }),
    'see in passing': often(3, async (registry) => {
      const given = { bubblerId: await this.#anyWaypoint(registry), kind: this.chance.pick(passing) }
      const network = `192.0.2.${this.chance.below(3)}`
      return registry.observations.create(given, anonymous, { network })
    }),
    'change review': often(4, async (registry) => {
      const { id, userId } = await registry.reviews.get(await this.#anyReview(registry))
      const given = {
        ...(this.chance.isIn(50) && { rating: 1 + this.chance.below(5) }),
        ...(this.chance.isIn(70) && { comment: this.chance.isIn(20) ? null : this.#text() }),
      }
      return registry.reviews.update(id, given, user(userId))
    }),
    'delete review': often(4, async (registry) =>
      registry.reviews.delete(await this.#anyReview(registry), this.#actor()),
    ),
    block: often(2, ({ users }) => {
      const person = this.#person()
      const until = this.#isHostile ? '9999-12-31T23:59:59-23:59' : '2026-01-01T00:20:00.000Z'
      const given = { ...this.#reason(), ...(this.chance.isIn(70) && { until }) }
      return users.block(person, given, this.#actor())
    }),
    unblock: often(2, ({ users }) => users.unblock(this.#person(), this.#actor())),
    grant: often(2, ({ users }) => users.grantXp(this.#person(), this.chance.below(90) - 20, this.#text())),
    appoint: often(1, ({ users }) => users.setModerator(this.#person(), this.chance.isIn(70))),
    rename: often(2, ({ users }) =>
      users.update(this.#person(), { name: this.#personName(`Renamed ${this.chance.below(99)}`) }),
    ),
    area: often(3, ({ areas }) => {
      const given = {
        name: this.#text(),
        ...(this.chance.isIn(50) && { description: this.#text() }),
        color: '#0066FF',
        properties: this.#isHostile ? hostileProperties(this.chance) : { zone: 'b', level: 2 },
        coordinates: [this.#isHostile ? hostileRing(this.chance) : ring],
      }
      return areas.create(given, token())
    }),
    'delete area': often(3, ({ areas }) => areas.delete(1 + this.chance.below(2), token())),
    import: often(6, (registry) => this.#import(registry)),
    redact: often(7, (registry) => this.redact(registry)),
  }

  get kinds(): string[] {
    return Object.keys(this.#writes)
  }

  /** One write of a random kind. @returns its kind, or undefined when it was refused */
  async step(registry: Registry, kinds?: readonly string[]): Promise<string | undefined> {
    const writes = Object.entries(this.#writes).filter(([name]) => kinds?.includes(name) ?? true)
    let at = this.chance.below(writes.reduce((sum, [, { weight }]) => sum + weight, 0))
    const [drawn = ''] = writes.find(([, { weight }]) => (at -= weight) < 0) ?? []
    const name = this.#people.length === 0 && drawn !== 'create' ? 'join' : drawn
    try {
      await this.#writes[name]?.write(registry)
    } catch (error) {
      if (error instanceof RegistryError && refusals.test(error.code)) return undefined
      throw new Error(`${name} failed`, { cause: error })
    }
    this.done.set(name, (this.done.get(name) ?? 0) + 1)
    return name
  }

  async redact(registry: Registry): Promise<void> {
    const id = await this.#anyEntry(registry)
    const [entry] = await registry.changes.entries(id - 1, 1)
    if (entry === undefined) return
    const names = Object.keys(entry.fields)
    const isPlaced = names.includes('latitude') && this.chance.isIn(30)
    const one = isPlaced
      ? 'latitude'
      : this.chance.isIn(40)
        ? this.chance.pick([...names, 'name'])
        : undefined
    const some = one === undefined ? undefined : [one]
    const reason = `Erased ${this.chance.below(1000)}`
    const texts = Object.entries(entry.fields)
      .filter(([name]) => some?.includes(name) ?? !['via', 'waypoint', 'counts'].includes(name))
      .flatMap(([, value]) => [value].flat())
    await registry.changes.redact(id, { reason, fields: some })
    for (const text of texts)
      if (typeof text === 'string' && /Ün?ï|Uni\d+Zq/u.test(text)) this.erased.add(text)
  }

  #row(number: number, ref: string): ImportRow {
    const name = this.#text()
    const day = 10 + (name.length % 20)
    return {
      row: number,
      ref,
      input: { name, ...this.#place(), ...this.#texted(30) },
      ...(this.chance.isIn(10) && { state: this.chance.pick(['broken', 'off'] as const) }),
      // A unique text: a redaction removes it from entries about the same subject, and a record is another.
      ...(this.chance.isIn(5) && { tags: { amenity: 'fountain', name: this.#text() } }),
      ...(name.length % 3 === 0 && { checked: `2025-12-${day}` }),
      ...(name.length % 5 === 0 && { updated: `2025-11-${day}` }),
      ...(name.length % 7 === 0 && { since: `2025-12-${day}` }),
      ...(name.length % 4 === 0 && { until: `2026-01-${day}` }),
    }
  }

  #file(name: string): ImportRow[] {
    const before = this.#rows.get(name) ?? []
    const kept = before
      .filter(() => !this.chance.isIn(10))
      .map((row) => (this.chance.isIn(25) && row.ref !== undefined ? this.#row(row.row, row.ref) : row))
    const next = before.length + 1 + this.#files
    const fresh = Array.from({ length: this.chance.below(4) }, (_each, index) =>
      this.#row(next + index, `${name}-${next + index}`),
    )
    const rows = [...kept, ...fresh]
    this.#rows.set(name, rows)
    return rows
  }

  async importAgain(registry: Registry): Promise<void> {
    for (const source of sources) {
      const rows = this.#rows.get(source.name) ?? []
      const run = await registry.imports.start({ source, recheck: true, accept: ['shrink'] })
      await run.apply(rows)
      await run.finish({ counts: { rows: rows.length }, missing: 'mark' })
    }
  }

  async #import(registry: Registry): Promise<void> {
    const source = this.chance.pick(this.#isHostile ? hostileSources : sources)
    const given = this.#file(source.name)
    const rows: ImportRow[] = []
    for (const row of given)
      rows.push(this.chance.isIn(5) ? { ...row, mergeInto: await this.#anyWaypoint(registry) } : row)
    this.#files++
    const run = await registry.imports.start({
      source: this.chance.isIn(10) ? { ...source, attribution: `Edition ${this.#files}` } : source,
      file: {
        name: this.#isHostile ? this.#text() : `Ünï${++this.#texts}Zq.csv`,
        sha256: hash('sha256', JSON.stringify(rows)),
        bytes: rows.length,
      },
      accept: ['shrink', 'older'],
      approved: this.chance.isIn(80),
      // Only some sources have a date of publication.
      ...(this.#files % 3 > 0 && { published: `2025-12-${10 + (this.#files % 20)}` }),
    })
    const half = Math.floor(rows.length / 2)
    await run.apply(rows.slice(0, half), { row: half })
    if (this.chance.isIn(15)) return
    await run.apply(rows.slice(half))
    const missing = this.chance.pick<MissingRows>(['mark', 'mark', 'remove', 'keep'])
    await run.finish({ counts: { rows: rows.length }, missing })
  }
}
