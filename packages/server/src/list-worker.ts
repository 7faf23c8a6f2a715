import os from 'node:os'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openRegistry, type Registry } from '@openfountain/core'
import { ownModule, type WaypointFormat } from './formats.ts'
import {
  jsonList,
  type WorkerResponse,
  type WorkerRequest,
  type ListTask,
  type WorkerData,
} from './list-maker.ts'

/** Makes long lists on a connection of its own, so that the serving thread only forwards them. */

/** A list in progress. */
interface Job {
  readonly pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>
  /** Pieces that may be sent before the reader requests more. */
  credit: number
  pumping: boolean
}

/** Characters of a message, approximately. */
const messageCharacters = 64 * 1024

const utf8 = new TextEncoder()
const send = (message: WorkerResponse, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer)

async function formatsOf(module: string) {
  return (await import(module)) as { readonly waypointFormats: readonly WaypointFormat[] }
}

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
const jobs = new Map<number, Job>()

async function pump(id: number, job: Job): Promise<void> {
  if (job.pumping) return
  job.pumping = true
  try {
    while (job.credit > 0 && jobs.has(id)) {
      const { done, value } = await job.pieces.next()
      if (done === true) {
        jobs.delete(id)
        send({ id, end: true })
        return
      }
      job.credit -= 1
      const { buffer } = value
      send({ id, piece: buffer }, [buffer])
      // Lets other lists proceed, and stop messages arrive.
      await yieldToEventLoop()
    }
  } catch (error) {
    jobs.delete(id)
    send({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  } finally {
    job.pumping = false
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  const { id } = request
  if ('start' in request) {
    const job = { pieces: piecesOf(registry, request.start), credit: request.credit, pumping: false }
    jobs.set(id, job)
    void pump(id, job)
    return
  }
  const job = jobs.get(id)
  if (job === undefined) return
  if ('more' in request) {
    job.credit += request.more
    void pump(id, job)
    return
  }
  jobs.delete(id)
  void job.pieces.return(undefined).catch(() => undefined)
})
