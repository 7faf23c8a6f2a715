import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openRegistry, type Registry } from '@openfountain/core'
import { ownModule, type WaypointFormat } from './formats.ts'
import { jsonList, type WorkerRequest, type ListTask, type WorkerData } from './list-maker.ts'

/** Makes long lists on a connection of its own, so that the serving thread only forwards them. */

const messageCharacters = 64 * 1024

const utf8 = new TextEncoder()

const formatsOf = async (module: string) =>
  (await import(module)) as { readonly waypointFormats: readonly WaypointFormat[] }

async function* piecesOf(registry: Registry, task: ListTask): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (task.list !== 'formatted waypoints') return yield* jsonList(registry, task)
  const { module, mediaType } = task
  const { waypointFormats } = module === ownModule ? await import('./formats.ts') : await formatsOf(module)
  const format = waypointFormats.find((each) => each.mediaType === mediaType)
  if (format === undefined) throw new Error(`${module} has no format ${mediaType} in waypointFormats`)
  let piece = ''
  for await (const text of format.text(registry, task.filter)) {
    piece += text
    if (piece.length < messageCharacters) continue
    yield utf8.encode(piece)
    piece = ''
  }
  if (piece !== '') yield utf8.encode(piece)
}

/** Lowers the priority of this thread below the serving one. Only on Linux do threads have their own priority. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    os.setPriority(Math.min(os.getPriority() + 15, 19))
  } catch {
    // A sandbox may forbid it, which does no harm.
  }
}

lowerPriority()

const registry = await openRegistry({ ...(workerData as WorkerData), readOnly: true, create: false })

parentPort?.on('message', ({ task, into }: WorkerRequest) => {
  // The reader is told of an error, and tells when it has enough.
  void ReadableStream.from(piecesOf(registry, task))
    .pipeTo(into)
    .catch(() => undefined)
})
