import { restoreArea } from './decide/area.ts'
import type { Actor } from './decide/contributor.ts'
import { notFound, required } from './errors.ts'
import { isLive, publishedOf } from './log/nouns.ts'
import type { BoundingBox, BoundingBoxInput } from './schemas/area.ts'
import { Part } from './shared.ts'
import { decisions } from './writes.ts'

/** Bounding boxes: areas of the map with a note. Only API tokens may write them. */
export class Areas extends Part {
  /** Active bounding boxes by id. */
  async list(): Promise<BoundingBox[]> {
    return this.read.areas.active()
  }

  /** A bounding box, active or not. @throws RegistryError NOT_FOUND, for removed ones too */
  async get(id: number): Promise<BoundingBox> {
    const found = await this.asItIs('area', id)
    if (!isLive(found)) throw notFound('bounding box', id)
    return publishedOf(found)
  }

  /** A bounding box, or a removed one in its last state. @throws RegistryError NOT_FOUND */
  async getEvenDeleted(id: number): Promise<BoundingBox> {
    return publishedOf(required(await this.asItIs('area', id), 'bounding box', id))
  }

  /** @throws RegistryError UNAUTHORIZED, FORBIDDEN but for tokens that `administer`, INVALID_INPUT, INVALID_COORDINATES */
  async create(input: BoundingBoxInput, actor: Actor): Promise<BoundingBox> {
    return this.shared.contribute(actor, decisions['areas.create'](input))
  }

  /** Removes a bounding box from every list. @returns it as it was. @throws RegistryError as `create`, NOT_FOUND */
  async delete(id: number, actor: Actor): Promise<BoundingBox> {
    return this.shared.contribute(actor, decisions['areas.delete'](id))
  }

  /** Restores a removed bounding box under its id. @throws RegistryError as `create`, NOT_FOUND for any other */
  async restore(id: number, actor: Actor): Promise<BoundingBox> {
    return this.shared.contribute(actor, (occasion) => restoreArea(occasion, id))
  }
}
