import { readFile, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  type ObservationInput,
  openRegistry,
  type PhotoInput,
  type Registry,
  token,
  user,
  type WaypointInput,
} from '@openfountain/core'
import type { BoundingBoxInput } from '@openfountain/core/internal'
import { placesIn } from '@openfountain/exchange/places'
import { openPhotos, photosBeside } from '@openfountain/photos'
import { Chance } from '@openfountain/testing/chance'

/** Acts of the sample's history by their names. Waypoints are numbered from 1 in order of creation. */
interface Acts {
  readonly join: { readonly id: string; readonly name: string; readonly moderator?: true }
  readonly grant: { readonly id: string; readonly xp: number; readonly reason: string }
  readonly import: { readonly rows: readonly { readonly ref: string; readonly input: WaypointInput }[] }
  readonly create: { readonly by: string; readonly input: WaypointInput }
  readonly edit: {
    readonly by: string
    readonly waypoint: number
    readonly change: Readonly<Record<string, unknown>>
  }
  readonly review: {
    readonly by: string
    readonly waypoint: number
    readonly rating: number
    readonly comment?: string
  }
  readonly observe: {
    readonly by: string
    readonly waypoint: number
    readonly kind: ObservationInput['kind']
  }
  readonly delete: { readonly by: string; readonly waypoint: number }
  readonly photo: { readonly by: string; readonly waypoint: number; readonly file: string } & PhotoInput
  readonly area: { readonly input: BoundingBoxInput }
}

/** An act with its name and its time. */
export type Act = {
  [Name in keyof Acts]: { readonly at: string; readonly act: Name } & Acts[Name]
}[keyof Acts]

/** Name, author, licence and places of the sample registry. Street corners are OpenStreetMap's, so that its licence holds. */
export const sampleSettings = {
  name: 'Sample registry (fictional)',
  author: 'Fictional contributors, © OpenStreetMap',
  license: 'ODbL-1.0',
  places: await placesIn(),
} as const

const source = {
  name: 'Sample (fictional)',
  license: 'ODbL-1.0',
  attribution: sampleSettings.author,
} as const

const data = new URL('../data/', import.meta.url)

/** The streets of Monaco, under the sample's fountains. */
export const sampleStreets = fileURLToPath(new URL('monaco.pmtiles', data))

const recipeFile = fileURLToPath(new URL('sample.ndjson', data))

/** The recipe of the sample in data/. */
export async function readRecipe(file: string = recipeFile): Promise<Act[]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Act)
}

const day = 86_400_000

/** The number of days that the fictional observers walk. */
const walks = 21

/** The history of each group of fountains: its share of all, its change, and its observations. */
const stories: readonly {
  readonly share: number
  readonly change?: Readonly<Record<string, string>>
  readonly seen: readonly ObservationInput['kind'][]
}[] = [
  { share: 0.3, change: { drinkable: 'yes' }, seen: ['works'] },
  { share: 0.1, change: { openingHours: 'Mo-Fr 07:00-20:00; Sa,Su 09:00-18:00' }, seen: ['works'] },
  { share: 0.05, change: { openingHours: '24/7', drinkable: 'yes' }, seen: ['works', 'works'] },
  { share: 0.08, change: { season: '04-01/10-31' }, seen: [] },
  { share: 0.03, change: { season: '10-15/05-15' }, seen: [] },
  { share: 0.03, change: { drinkable: 'no' }, seen: ['dirty'] },
  { share: 0.03, change: { drinkable: 'unsigned' }, seen: ['works'] },
  { share: 0.04, seen: ['broken', 'broken'] },
  { share: 0.04, seen: ['dry'] },
  { share: 0.03, seen: ['blocked'] },
  { share: 0.03, seen: ['gone', 'gone'] },
]

/**
 * The observations of the sample's fountains in the three weeks after the last act of its recipe, or before today if
 * that is later, with hours and seasons. The dates are relative to today: observations expire after some weeks, and a
 * sample opened in a year must have working fountains, too.
 */
function sightingsBefore(today: Date, recipe: readonly Act[]): Act[] {
  const chance = new Chance(20_261_001)
  const end = Math.max(today.getTime(), Date.parse(recipe.at(-1)?.at ?? '') + (walks + 1) * day)
  const people = recipe.flatMap((act) => (act.act === 'join' ? [act.id] : []))
  const editor = recipe.find((act) => act.act === 'join' && act.moderator === true)
  if (editor?.act !== 'join') throw new Error('the sample has no moderator')
  const count = recipe.reduce(
    (sum, act) => sum + (act.act === 'import' ? act.rows.length : Number(act.act === 'create')),
    0,
  )
  const gone = new Set(recipe.flatMap((act) => (act.act === 'delete' ? [act.waypoint] : [])))
  const acts: Act[] = []
  for (let waypoint = 1; waypoint <= count; waypoint++) {
    let drawn = chance.share()
    const story = stories.find(({ share }) => (drawn -= share) < 0)
    if (story === undefined || gone.has(waypoint)) continue
    const { change, seen } = story
    const noted = new Date(end - walks * day + waypoint * 1000).toISOString()
    if (change) acts.push({ at: noted, act: 'edit', by: editor.id, waypoint, change })
    const first = chance.below(people.length)
    for (const [index, kind] of seen.entries()) {
      const at = new Date(end - (1 + chance.below(walks - 2)) * day - chance.below(day / 2)).toISOString()
      const by = people[(first + index) % people.length] ?? editor.id
      acts.push({ at, act: 'observe', by, waypoint, kind })
    }
  }
  return acts.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** Performs one act with the registry's public functions. */
async function perform(registry: Registry, act: Act): Promise<void> {
  switch (act.act) {
    case 'join':
      await registry.users.create({ id: act.id, name: act.name, isModerator: act.moderator === true })
      return
    case 'grant':
      await registry.users.grantXp(act.id, act.xp, act.reason)
      return
    case 'import': {
      const run = await registry.imports.start({ source })
      const outcomes = await run.apply(
        act.rows.map(({ ref, input }, index) => ({ row: index + 1, ref, input })),
      )
      const refused = outcomes.find(({ kind }) => kind !== 'created')
      if (refused)
        throw new Error(`row ${refused.row} of the sample was ${refused.kind}: ${refused.reason ?? ''}`)
      await run.finish({ counts: { rows: outcomes.length, created: outcomes.length }, missing: 'keep' })
      return
    }
    case 'create':
      await registry.waypoints.create(act.input, user(act.by))
      return
    case 'edit':
      await registry.waypoints.update(act.waypoint, act.change, user(act.by))
      return
    case 'review': {
      const { waypoint: bubblerId, rating, comment } = act
      await registry.reviews.create({ bubblerId, rating, comment }, user(act.by))
      return
    }
    case 'observe':
      await registry.observations.create({ bubblerId: act.waypoint, kind: act.kind }, user(act.by))
      return
    case 'photo': {
      const { by, waypoint, file, license, alt, takenAt } = act
      const picture = await readFile(new URL(`photos/${file}`, data))
      await registry.photos.create(waypoint, picture, { license, alt, takenAt }, user(by))
      return
    }
    case 'delete':
      await registry.waypoints.delete(act.waypoint, user(act.by))
      return
    case 'area':
      await registry.areas.create(act.input, token())
  }
}

/**
 * Makes the sample registry: the recipe's acts at the recipe's times, with the same functions as for any contribution.
 * Its exports are the same bytes each time, for the same day.
 *
 * @param database a file that does not exist yet; it appears once it is complete, with the files of photos beside it
 * @param options `today` adds the observations of the weeks before; without it there is the recipe alone
 */
export async function makeSample(
  database: string,
  options: { readonly today?: Date; readonly onProgress?: (done: number, total: number) => void } = {},
): Promise<void> {
  const { today, onProgress } = options
  const recipe = await readRecipe()
  const acts = today ? [...recipe, ...sightingsBefore(today, recipe)] : recipe
  const unfinished = `${database}.making`
  const suffixes = ['', '-wal', '-shm']
  await Promise.all(suffixes.map((suffix) => rm(unfinished + suffix, { force: true })))
  const chance = new Chance(7)
  let now = new Date(0)
  const photos = openPhotos(photosBeside(database))
  const registry = await openRegistry({
    ...sampleSettings,
    database: unfinished,
    photos,
    durability: 'relaxed',
    clock: () => now,
    random: (count) => chance.bytes(count),
  })
  try {
    for (const [index, act] of acts.entries()) {
      now = new Date(act.at)
      await perform(registry, act)
      if (index % 100 === 0) onProgress?.(index, acts.length)
    }
    const { ok, problems } = await registry.changes.verify()
    if (!ok) throw new Error(`the sample does not verify: ${problems[0] ?? ''}`)
  } finally {
    photos.close()
    await registry.close()
  }
  await rename(unfinished, database)
}
