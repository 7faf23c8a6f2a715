import { BoundingBox } from '@openfountain/core'
import { BoundingBoxInput } from '@openfountain/core/internal'
import { z } from 'zod'
import { endpoint, type Endpoint, integer, pathId } from '../endpoint.ts'
import { malformed } from '../problem.ts'

const tag = 'Bounding boxes'
const change = { tag, who: 'token' } as const

const Id = z.object({ id: pathId('bounding box') })
const ById = z.object({ id: z.int().min(0) }).meta({ id: 'BoundingBoxReference' })

export const areaEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/boundingboxes',
    name: 'listBoundingBoxes',
    tag,
    summary: 'The areas that are in force',
    who: 'anyone',
    success: {
      description: 'The active ones, by id',
      body: z.object({ boundingBoxes: z.array(BoundingBox) }),
    },
    run: async ({ registry }) => ({ boundingBoxes: await registry.areas.list() }),
  }),
  endpoint({
    ...change,
    route: 'POST /api/boundingboxes',
    name: 'createBoundingBox',
    summary: 'Add an area',
    body: { schema: BoundingBoxInput },
    success: { status: 201, description: 'The area', body: z.object({ boundingBox: BoundingBox }) },
    errors: ['INVALID_COORDINATES'],
    run: async ({ registry, body, actor }) => ({
      boundingBox: await registry.areas.create(body as BoundingBoxInput, actor),
    }),
    repeated: async ({ registry }, { subject }) => ({
      boundingBox: await registry.areas.get(Number(subject)),
    }),
  }),
  endpoint({
    ...change,
    route: 'DELETE /api/boundingboxes',
    name: 'deleteBoundingBox',
    summary: 'Remove an area',
    description: 'The id is given as `?id=` or in the body.',
    query: z.object({ id: integer({}, 'The id of the area').optional() }),
    body: { schema: ById, optional: true },
    success: { description: 'The area as it was', body: z.object({ boundingBox: BoundingBox }) },
    errors: ['NOT_FOUND'],
    run: async ({ registry, query, body, actor }) => ({
      boundingBox: await registry.areas.delete(query.id ?? idIn(body), actor),
    }),
    repeated: async ({ registry }, { subject }) => ({
      boundingBox: await registry.areas.getEvenDeleted(Number(subject)),
    }),
  }),
  endpoint({
    ...change,
    route: 'POST /api/boundingboxes/{id}/restore',
    name: 'restoreBoundingBox',
    summary: 'Bring a removed area back under its id',
    path: Id,
    success: { description: 'The area', body: z.object({ boundingBox: BoundingBox }) },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path, actor }) => ({ boundingBox: await registry.areas.restore(path.id, actor) }),
    repeated: async ({ registry, path }) => ({ boundingBox: await registry.areas.get(path.id) }),
  }),
]

function idIn(body: unknown): number {
  const parsed = ById.safeParse(body)
  if (!parsed.success) throw malformed('id', 'is required: give it as ?id= or as { "id": number }')
  return parsed.data.id
}
