import { on } from 'node:events'
import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openRegistry, type Registry } from '@openfountain/core'
import { ownModule, type WaypointFormat } from './formats.ts'
import { jsonList, type WorkerData, type WorkerRequest, type WorkerResponse } from './list-maker.ts'

/** Makes long lists on a connection of its own, so that the serving thread only forwards them. */

const messageCharacters = 64 * 1024
/** Pieces ahead of the reader: enough that neither side waits, few enough to save memory. */
const mostAhead = 2

const utf8 = new TextEncoder()

const formatsOf = async (module: string) =>
  (await import(module)) as { readonly waypointFormats: readonly WaypointFormat[] }

async function* piecesOf(
  registry: Registry,
  task: WorkerRequest['task'],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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

/** Sends a list, a few pieces ahead, until the reader closes the port. */
async function send({ task, port }: WorkerRequest): Promise<void> {
  const say = (message: WorkerResponse, buffers: ArrayBuffer[] = []) => port.postMessage(message, buffers)
  const read = on(port, 'message', { close: ['close'] })
  let ahead = 0
  try {
    for await (const piece of piecesOf(registry, task)) {
      say(piece, [piece.buffer])
      if (++ahead > mostAhead && (await read.next()).done === true) return
    }
    say(null)
  } catch (error) {
    say(error instanceof Error ? error : new Error(String(error)))
  }
}

parentPort?.on('message', (request: WorkerRequest) => void send(request))
