import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { madeName } from '@openfountain/core/names'
import { vocabulary } from '@openfountain/core/vocabulary'
import type { Waypoint } from '../data/records.ts'
import type { Nameable } from '../naming.ts'
import type { SiteContext } from './context.ts'
import { marker } from './leftovers.ts'
import { isFile, linkOrCopy } from './output.ts'

/**
 * What a site says of itself in its marker, so that the next build need not make pages again that would come out the same.
 * It is a part of the site: whoever replaces one replaces both. It has nothing but digests.
 */
const Kept = z.object({
  format: z.literal(1),
  /** Of everything that all pages have in common: options, texts, scripts, this package. */
  shared: z.string(),
  /** Of everything else that is on the page of a waypoint, by its id. */
  waypoints: z.record(z.string(), z.string()),
})
export type Kept = z.infer<typeof Kept>

/** What the site in a folder says of itself; undefined where it does not, or where there is none. */
export async function readKept(folder: string): Promise<Kept | undefined> {
  try {
    return Kept.parse(JSON.parse(await readFile(join(folder, marker), 'utf8')))
  } catch {
    return undefined
  }
}

/** Digests of what the pages of waypoints are made from. */
export async function digestPages(context: SiteContext): Promise<Kept> {
  const waypoints: Record<string, string> = {}
  for (const waypoint of context.data.waypoints)
    waypoints[waypoint.id] = digest(inputsOf(context, waypoint)).slice(0, 22)
  return { format: 1, shared: await digestShared(context), waypoints }
}

/** The waypoints whose pages an earlier site has as they would be made now. */
export async function unchangedWaypoints(
  before: Kept | undefined,
  now: Kept,
  folder: string,
): Promise<ReadonlySet<number>> {
  const unchanged = new Set<number>()
  if (before?.shared !== now.shared) return unchanged
  for (const [id, inputs] of Object.entries(now.waypoints))
    if (before.waypoints[id] === inputs && (await isFile(join(folder, pageOf(id))))) unchanged.add(Number(id))
  return unchanged
}

/** Takes the pages of these waypoints over from an earlier site, as second names of the same files where that is possible. */
export async function takeOver(waypoints: Iterable<number>, from: string, to: string): Promise<void> {
  for (const id of waypoints) await linkOrCopy(join(from, pageOf(id)), join(to, pageOf(id)))
}

/** Whether two sites have the same scripts, styles and drawings, which have a digest of their content in their names. */
export async function haveSameAssets(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((folder) => readdir(join(folder, '_astro'))))
  return JSON.stringify(a?.toSorted()) === JSON.stringify(b?.toSorted())
}

const pageOf = (id: number | string): string => `waypoint/${id}/index.html`

/** Everything on the page of a waypoint that is not on all of them. */
function inputsOf({ data, contributorPages }: SiteContext, waypoint: Waypoint): unknown {
  const { activity, contributors } = data
  const person = (id: string) => [id, contributors.get(id)?.name, contributorPages.has(id)]
  const another = (id: number) => [id, calledOf(data.named(id)), data.hasPage(id)]
  const history = activity.history(waypoint.id)
  const region = data.regionOf(waypoint)
  return [
    waypoint,
    data.stagesOf(waypoint),
    person(waypoint.added_by),
    region && [region.slug, region.name],
    data
      .nearest(waypoint, 6)
      .map(({ waypoint: near, ...where }) => [
        near.id,
        calledOf(near),
        near.verified,
        data.stagesOf(near),
        where,
      ]),
    activity.reviews(waypoint.id).map((review) => [review, person(review.userId)]),
    history.map((entry) => [
      entry,
      person(entry.userId),
      another(entry.waypointId),
      entry.mergedInto === undefined ? [] : another(entry.mergedInto),
    ]),
    activity.hasMore(waypoint.id),
  ]
}

/** What says how a fountain is called. */
function calledOf(one: Nameable | undefined): unknown {
  if (one === undefined || madeName(one.name) === undefined) return one?.name
  return [one.name, one.amenities, one.place, one.region]
}

async function digestShared({
  data,
  languages,
  atlas: _atlas,
  onPage: _onPage,
  turns: _turns,
  ...context
}: SiteContext): Promise<string> {
  const { registry, licenses, fictional } = data.folder
  const { contributorPages: _people, unchanged: _unchanged, streets, ...same } = context
  return digest([
    await digestPackage(),
    same,
    // The style of streets is a function; no page of a waypoint has it.
    streets !== undefined,
    languages.map(({ tag, messages }) => [tag, messages]),
    vocabulary,
    [registry, licenses, fictional, data.attributions, data.folder.log !== undefined],
  ])
}

let ofPackage: Promise<string> | undefined

/** Of all that this package brings: another version of it makes all pages anew. */
function digestPackage(): Promise<string> {
  ofPackage ??= readPackage()
  return ofPackage
}

async function readPackage(): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const hash = createHash('sha256')
  for (const part of ['src', 'icons', 'public', 'package.json']) {
    const entries = part.includes('.')
      ? [join(root, part)]
      : (await readdir(join(root, part), { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
    for (const file of entries.toSorted()) hash.update(file.slice(root.length)).update(await readFile(file))
  }
  return hash.digest('base64url')
}

/** Sets and maps have no members for JSON: none of them may be in what is digested. */
function digest(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Set || member instanceof Map) throw new TypeError('A set has no digest')
    return member
  })
  return createHash('sha256').update(text).digest('base64url')
}
