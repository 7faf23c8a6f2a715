import type { Tags } from '../fields/source.ts'

export interface OsmObject {
  readonly osmType?: 'node' | 'way' | 'relation' | undefined
  readonly osmId?: number | undefined
  /** Its tags as they were imported, as JSON text. */
  readonly osmObjectTags?: string | undefined
}

/** References such as `node/1`, of as many digits as a number is exact with. */
const reference = /^(node|way|relation)\/([1-9]\d{0,14})$/u

function osmObjectOf(ref: string | null): Pick<OsmObject, 'osmType' | 'osmId'> | undefined {
  const [, osmType, digits] = reference.exec(ref ?? '') ?? []
  return osmType === undefined ? undefined : { osmType: osmType as 'node', osmId: Number(digits) }
}

/** A source's data of a waypoint's object at OpenStreetMap: its reference, and its tags as JSON text. */
export interface ListedObject {
  readonly ref: string | null
  readonly tags: string | null
}

/** The object of a waypoint by its sources, in their order: the first with tags, else the first of all. */
export function osmObjectIn(listed: readonly ListedObject[]): OsmObject {
  const tagged = listed.find(({ tags }) => tags !== null)
  if (tagged) return { ...osmObjectOf(tagged.ref), osmObjectTags: tagged.tags ?? undefined }
  return listed.map(({ ref }) => osmObjectOf(ref)).find((object) => object !== undefined) ?? {}
}

export const osmTagsIn = ({ osmObjectTags }: OsmObject): Tags | undefined =>
  osmObjectTags === undefined ? undefined : (JSON.parse(osmObjectTags) as Tags)
