import os from 'node:os'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openRegistry, type Registry } from '@openfountain/core'
import type { WaypointFormat } from './formats.ts'
import { jsonList, type ListNews, type ListOrder, type ListTask, type WorkerData } from './list-maker.ts'
import { answerTo } from './question.ts'

/** Makes long lists on a connection of its own, so that the thread that serves requests only passes them on. */

interface Making {
  readonly pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>
  /** Pieces that may be sent before the reader asks for more. */
  credit: number
  pumping: boolean
}

/** Characters of a message, about. */
const worthSending = 64 * 1024

const utf8 = new TextEncoder()
const send = (news: ListNews, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(news, transfer)

async function* piecesOf(registry: Registry, task: ListTask): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (task.list === 'answer') return yield utf8.encode(await answerTo(registry, task.question))
  if (task.list !== 'formatted waypoints') return yield* jsonList(registry, task)
  const { module, mediaType } = task
  const { waypointFormats } = (await import(module)) as { waypointFormats: readonly WaypointFormat[] }
  const format = waypointFormats.find((each) => each.mediaType === mediaType)
  if (format === undefined) throw new Error(`${module} has no format ${mediaType} in waypointFormats`)
  let piece = ''
  for await (const text of format.text(registry, task.filter)) {
    piece += text
    if (piece.length < worthSending) continue
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
    // A sandbox may forbid it; lists work without it.
  }
}

lowerPriority()

const registry = await openRegistry({ ...(workerData as WorkerData), readOnly: true, create: false })
const open = new Map<number, Making>()

async function pump(id: number, making: Making): Promise<void> {
  if (making.pumping) return
  making.pumping = true
  try {
    while (making.credit > 0 && open.has(id)) {
      const { done, value } = await making.pieces.next()
      if (done === true) {
        open.delete(id)
        send({ id, end: true })
        return
      }
      making.credit -= 1
      const { buffer } = value
      send({ id, piece: buffer }, [buffer])
      // Other lists proceed, and messages to stop arrive.
      await yieldToEventLoop()
    }
  } catch (error) {
    open.delete(id)
    send({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  } finally {
    making.pumping = false
  }
}

parentPort?.on('message', (order: ListOrder) => {
  const { id } = order
  if ('begin' in order) {
    const making = { pieces: piecesOf(registry, order.begin), credit: order.credit, pumping: false }
    open.set(id, making)
    void pump(id, making)
    return
  }
  const making = open.get(id)
  if (making === undefined) return
  if ('more' in order) {
    making.credit += order.more
    void pump(id, making)
    return
  }
  open.delete(id)
  void making.pieces.return(undefined).catch(() => undefined)
})
