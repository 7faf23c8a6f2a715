import { type LoggedEntry, type Photo, type Registry, type Report, token } from '@openfountain/core'
import { type KeptDoubtfulRow, redactableFields, redactedName } from '@openfountain/core/internal'

export interface Place {
  readonly entry: number
  /** Such as `waypoint 12`. */
  readonly subject: string
  readonly by: string
  readonly at: string
  readonly fields: Readonly<Record<string, unknown>>
}

interface Unerasable {
  readonly place: string
  readonly remedy: string
}

export interface Findings {
  readonly places: readonly Place[]
  readonly reports: readonly Report[]
  readonly rows: readonly KeptDoubtfulRow[]
  readonly photos: readonly Photo[]
  readonly elsewhere: readonly Unerasable[]
}

const one = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ')

/** Signs between the digits of a number. */
const between = String.raw`[\s().\/\u2010-\u2015\u2212-]*`
const aNumber = new RegExp(String.raw`^\+?${between}(?:\d${between}){6,}$`, 'u')
/** The nought of the country itself, in +41 (0)44. */
const ownNought = /\(0\)/gu

/** Matches a number of at least six digits however it is grouped, with `+` or `00`; undefined for another text. */
function grouped(text: string): RegExp | undefined {
  const plain = text.replaceAll(ownNought, '').trim()
  if (!aNumber.test(plain)) return undefined
  const digits = plain.replaceAll(/\D/gu, '').replace(/^00/u, '')
  return new RegExp(`(?<!\\d)(?:00${between})?${[...digits].join(between)}(?!\\d)`, 'u')
}

/** Whether a value contains a text, whatever its case, Unicode form, white space and groups of digits. */
export function hasText(value: unknown, text: string): boolean {
  const wanted = one(text)
  const number = grouped(wanted)
  const isIn = (given: string): boolean =>
    given.includes(wanted) || number?.test(given.replaceAll(ownNought, '')) === true
  const isWithin = (given: unknown): boolean => {
    if (typeof given === 'string') return isIn(one(given))
    // Texts of lists and objects are compared without JSON escapes.
    const members: readonly unknown[] = Object.values(given ?? {})
    return members.some(isWithin) || isIn(one(JSON.stringify(given ?? '')))
  }
  return isWithin(value)
}

const placeOf = (entry: LoggedEntry, names: readonly string[]): Place => ({
  entry: entry.id,
  subject: `${entry.subject} ${entry.subjectId}`,
  by: entry.by,
  at: entry.at,
  fields: Object.fromEntries(names.map((name) => [name, entry.fields[name]])),
})

/** The fields of an entry that have a value and can be erased once the fountain is deleted. */
const erasable = ({ subject, fields }: LoggedEntry): string[] =>
  redactableFields(subject, true).filter((name) => {
    const value = fields[name] ?? null
    return (
      value !== null &&
      value !== '' &&
      value !== redactedName &&
      !(Array.isArray(value) && value.length === 0)
    )
  })

const positions = new Set(['latitude', 'longitude'])
const nothing: Omit<Findings, 'places'> = { reports: [], rows: [], photos: [], elsewhere: [] }

function unerasable(entry: LoggedEntry, text: string): Unerasable[] {
  const allowed = new Set(erasable(entry))
  return Object.entries(entry.fields).flatMap(([name, value]) => {
    if (allowed.has(name) || !hasText(value, text)) return []
    const place = `entry ${entry.id}, ${entry.subject} ${entry.subjectId}, ${name}`
    const remedy =
      name === 'via'
        ? 'a source’s own reference, which stays in the log; ask the source for another one'
        : 'a term of a source or of an area, which stays in the log; give it another value'
    return [{ place, remedy }]
  })
}

async function peopleWith(registry: Registry, text: string): Promise<Unerasable[]> {
  const found: Unerasable[] = []
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const page = await registry.users.list({ limit: 100, offset })
    total = page.total
    for (const { id, name } of page.users) {
      const { email } = text.includes('@') ? await registry.users.profile(id) : {}
      const member = hasText(name, text) ? 'name' : hasText(email, text) ? 'e-mail address' : undefined
      const remedy = `openfountain user rename ${id} NAME, or openfountain takedown --user ${id}`
      if (member !== undefined) found.push({ place: `user ${id}, ${member}`, remedy })
    }
  }
  return found
}

async function paged<Item extends { readonly id: number }>(
  read: (page: { readonly limit: number; readonly after: number }) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const found: Item[] = []
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: readonly Item[] = await read({ limit: 100, after })
    found.push(...page)
    after = page.at(99)?.id
  }
  return found
}

async function reportsWith(registry: Registry, text: string): Promise<Report[]> {
  const all = (['open', 'done', 'dismissed'] as const).map((state) =>
    paged((page) => registry.reports.list({ state, ...page }, token())),
  )
  return (await Promise.all(all))
    .flat()
    .filter(({ comment = '', note = '' }) => hasText([comment, note], text))
}

async function rowsWith(registry: Registry, text: string): Promise<KeptDoubtfulRow[]> {
  const found: KeptDoubtfulRow[] = []
  for await (const row of registry.moderation.rows())
    if (hasText([row.ref, row.values], text)) found.push(row)
  return found
}

async function placesIn(registry: Registry, namesOf: (entry: LoggedEntry) => string[]): Promise<Place[]> {
  const places: Place[] = []
  for await (const entry of registry.changes.since(0)) {
    const names = namesOf(entry)
    if (names.length > 0) places.push(placeOf(entry, names))
  }
  return places
}

/** Finds a text in all log entries, in reports, in doubtful rows of imports, and in people's names. */
export async function findText(registry: Registry, text: string): Promise<Findings> {
  const elsewhere: Unerasable[] = []
  const places = await placesIn(registry, (entry) => {
    elsewhere.push(...unerasable(entry, text))
    return erasable(entry).filter((name) => !positions.has(name) && hasText(entry.fields[name], text))
  })
  const people = await peopleWith(registry, text)
  const [reports, rows] = [await reportsWith(registry, text), await rowsWith(registry, text)]
  return { places, reports, rows, photos: [], elsewhere: [...people, ...elsewhere] }
}

const photosIn = async (
  registry: Registry,
  { userId, isChosen }: { readonly userId?: string; isChosen(photo: Photo): boolean },
): Promise<Photo[]> =>
  (await paged((page) => registry.photos.list({ userId, ...page }, token()))).filter(isChosen)

export async function findPhoto(registry: Registry, id: number): Promise<Findings> {
  const photo = await registry.photos.get(id)
  const places = await placesIn(registry, (entry) =>
    entry.subject === 'photo' && entry.subjectId === id ? erasable(entry) : [],
  )
  return { ...nothing, places, photos: [photo] }
}

/** Finds texts and positions of a fountain, its reviews, observations and photos; and its photos. */
export async function findWaypoint(registry: Registry, id: number): Promise<Findings> {
  const about = new Set([`waypoint ${id}`])
  const places = await placesIn(registry, (entry) => {
    const subject = `${entry.subject} ${entry.subjectId}`
    const isOfIt = ['review', 'observation', 'photo'].includes(entry.subject)
    if (isOfIt && entry.fields['waypoint'] === id) about.add(subject)
    return about.has(subject) ? erasable(entry) : []
  })
  const photos = await photosIn(registry, { isChosen: ({ bubblerId }) => bubblerId === id })
  return { ...nothing, places, photos }
}

/** Finds the photos of a person, and the texts that they wrote, except names of fountains, which stay. */
export async function findUser(registry: Registry, id: string): Promise<Findings> {
  const isText = ({ subject }: LoggedEntry, name: string): boolean =>
    !positions.has(name) && !(subject === 'waypoint' && name === 'name')
  const places = await placesIn(registry, (entry) =>
    entry.by === id ? erasable(entry).filter((name) => isText(entry, name)) : [],
  )
  const photos = await photosIn(registry, { userId: id, isChosen: () => true })
  return { ...nothing, places, photos }
}
