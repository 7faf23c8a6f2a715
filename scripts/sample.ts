import { readFile, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { seeded, type Act } from './sample-recipe.ts'
import { sightingsBefore, type Sighting } from './sample-sightings.ts'

/** Name, author and licence of the sample registry. */
export const sampleSettings = {
  name: 'Sample registry (fictional)',
  author: 'Fictional contributors',
  license: 'CC0-1.0',
} as const

const source = {
  name: 'Sample (fictional)',
  license: 'CC0-1.0',
  attribution: 'Made up for demonstration',
} as const

const recipeFile = fileURLToPath(new URL('../data/sample.ndjson', import.meta.url))

/** The recipe of the sample in data/. */
export async function readRecipe(file: string = recipeFile): Promise<Act[]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Act)
}

/** Performs one act with the registry's public functions. */
async function perform(registry: Registry, act: Act | Sighting): Promise<void> {
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
 * @param database a file that does not exist yet; it appears once it is complete
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
  const random = seeded(7)
  let now = new Date(0)
  const registry = await openRegistry({
    ...sampleSettings,
    database: unfinished,
    durability: 'relaxed',
    clock: () => now,
    random: (bytes) => Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256)),
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
    await registry.close()
  }
  await rename(unfinished, database)
}
