import { tileOfPath } from '@openfountain/tlog'
import { z } from 'zod'
import { endpoint, type Endpoint, Page } from '../endpoint.ts'
import { inert, longCache, publicCache } from '../http/headers.ts'
import { notFound } from '../problem.ts'

const tag = 'Logs'
const plain = 'text/plain; charset=utf-8'
const binary = 'application/octet-stream'

const common = { tag, who: 'anyone', freshness: 'never', errors: ['NOT_FOUND'] } as const

const part = z.string().meta({ description: 'A part of the path of a tile, as C2SP tlog-tiles has it' })
const Parts = z.object({ level: part, first: part })

/** A tile by the parts of its path. */
const tileAt = (names: readonly ('second' | 'third')[]): Endpoint =>
  endpoint({
    ...common,
    route: `GET /api/log/tile/{level}/{first}${names.map((name) => `/{${name}}` as const).join('')}`,
    name: `getLogTile${names.length === 0 ? '' : names.length + 1}`,
    summary: 'A tile of the log: 256 hashes, or entries, or fewer at its end',
    description:
      'As C2SP tlog-tiles has them: `tile/0/x001/234`, `tile/0/001.p/7`, `tile/entries/000`. Entries are the data of leaves, with commitments and no text. A tile never changes.',
    path: Parts.extend(Object.fromEntries(names.map((name) => [name, part]))),
    success: {
      description: 'The tile',
      media: { [binary]: 'Hashes, or entries after their lengths' },
    },
    async run({ registry, path }) {
      const tile = tileOfPath(`tile/${Object.values(path).join('/')}`)
      if (tile === undefined) throw notFound('Tile', 'GET /api/log/checkpoint says how far the log goes')
      const bytes = Uint8Array.from(await registry.changes.tile(tile))
      const headers = Object.fromEntries([...inert, longCache, ['content-type', binary]])
      return new Response(bytes, { headers })
    },
  })

/** The log as files that prove it, after C2SP. */
export const logTileEndpoints: readonly Endpoint[] = [
  endpoint({
    ...common,
    route: 'GET /api/log/checkpoint',
    name: 'getLogCheckpoint',
    summary: 'How far the log goes, signed',
    description: 'A signed note after C2SP tlog-checkpoint. NOT_FOUND where the log has no key.',
    success: { description: 'The note', media: { 'text/plain': 'The note' } },
    run: async ({ registry }) =>
      new Page((await registry.changes.checkpoint()).note, plain, [...inert, publicCache]),
  }),
  endpoint({
    ...common,
    route: 'GET /api/log/keys',
    name: 'getLogKeys',
    summary: 'The keys that verify checkpoints',
    description:
      'Verifier keys after C2SP signed-note, one a line. Keep them: a key from elsewhere proves more.',
    success: { description: 'The keys', media: { 'text/plain': 'Verifier keys, one a line' } },
    async run({ registry }) {
      const keys = await registry.changes.keys()
      if (keys === undefined) throw notFound('Key of the log', 'the log is not signed here')
      return new Page(keys.map((key) => `${key}\n`).join(''), plain, [...inert, publicCache])
    },
  }),
  ...([[], ['second'], ['second', 'third']] as const).map(tileAt),
]
