import type { JumpToOptions, Map as MapLibreMap } from 'maplibre-gl'
import { nothingCovered, type Covered } from '../../map/page/covered.ts'
import { wrapLongitude, type Position } from '../../map/page/position.ts'
import { roundedPosition } from './coordinates.ts'

const equatorMetres = 40_075_016.686
const tileSize = 512
/** A hand moves this much while it taps. */
const tapPixels = 5

interface Pixels {
  readonly x: number
  readonly y: number
}

/** A mark on the map: where the fountain was, or the visitor's position within its accuracy. */
interface Mark {
  readonly element: HTMLElement
  readonly position: Position
  readonly accuracyMetres: number | undefined
}

/** A crosshair in the middle of the visible map, which stays while the map moves, and can be dragged; a tap moves the map below it. */
export class Crosshair {
  readonly #map: MapLibreMap
  readonly #moved: (position: Position) => void
  readonly #cross: HTMLElement
  readonly #marks = new Map<string, Mark>()
  readonly #ending = new AbortController()
  /** Whether this class is moving the map. */
  #isOwn = false
  /** Where a tap or a drag began. */
  #pressed: Pixels = { x: 0, y: 0 }

  /** @param moved called when the user moved the map */
  constructor(map: MapLibreMap, moved: (position: Position) => void) {
    this.#map = map
    this.#moved = moved
    this.#cross = this.#element('cross')
    const container = map.getContainer()
    const { signal } = this.#ending
    // During a drag the dot under the finger must not open.
    container.addEventListener('pointerdown', (event) => (this.#pressed = pixelsOf(event)), {
      signal,
      capture: true,
    })
    container.addEventListener('click', (event) => this.#tapped(event), { signal, capture: true })
    this.#listenToDrag(signal)
    for (const type of ['move', 'resize'] as const) map.on(type, this.#onMove)
    this.#draw()
  }

  /** Brings a place into the middle. */
  go({ latitude, longitude }: Position, zoom = this.#map.getZoom()): void {
    this.#jump({ center: [longitude, latitude], zoom })
  }

  keepClearOf(covered: Covered): void {
    this.#jump({ center: this.#map.getCenter(), padding: { top: 0, ...covered } })
  }

  mark(kind: 'before' | 'accuracy', position: Position, accuracyMetres?: number): void {
    const element = this.#marks.get(kind)?.element ?? this.#element(kind)
    this.#marks.set(kind, { element, position, accuracyMetres })
    this.#draw()
  }

  end(): void {
    this.#ending.abort()
    for (const type of ['move', 'resize'] as const) this.#map.off(type, this.#onMove)
    for (const { element } of [{ element: this.#cross }, ...this.#marks.values()]) element.remove()
    this.keepClearOf(nothingCovered)
  }

  #element(kind: string): HTMLElement {
    const made = document.createElement('div')
    made.className = `contribute-${kind}`
    made.ariaHidden = 'true'
    this.#map.getContainer().parentElement?.append(made)
    return made
  }

  #jump(options: JumpToOptions): void {
    this.#isOwn = true
    this.#map.jumpTo(options)
    this.#isOwn = false
  }

  readonly #onMove = (): void => {
    this.#draw()
    const { lat: latitude, lng: longitude } = this.#map.getCenter()
    if (!this.#isOwn) this.#moved(normalized({ latitude, longitude }))
  }

  get #middle(): Pixels {
    return this.#map.project(this.#map.getCenter())
  }

  #draw(): void {
    place(this.#cross, this.#middle)
    for (const { element, position, accuracyMetres } of this.#marks.values()) {
      const { latitude, longitude } = position
      place(element, this.#map.project([longitude, latitude]))
      if (accuracyMetres === undefined) continue
      const metresPerPixel =
        (equatorMetres * Math.cos((latitude * Math.PI) / 180)) / (tileSize * 2 ** this.#map.getZoom())
      element.style.width = element.style.height = `${Math.max(8, (2 * accuracyMetres) / metresPerPixel)}px`
    }
  }

  /** The map must not open the fountain under the finger. */
  #tapped(event: MouseEvent): void {
    event.stopPropagation()
    const { x, y } = this.#sincePressed(event)
    if (Math.hypot(x, y) > tapPixels) return
    const { left, top } = this.#map.getContainer().getBoundingClientRect()
    this.#choose({ x: event.clientX - left, y: event.clientY - top })
  }

  #sincePressed(event: MouseEvent): Pixels {
    const { x, y } = pixelsOf(event)
    return { x: x - this.#pressed.x, y: y - this.#pressed.y }
  }

  #choose({ x, y }: Pixels): void {
    const { lat: latitude, lng: longitude } = this.#map.unproject([x, y])
    const position = normalized({ latitude, longitude })
    this.go(position)
    this.#moved(position)
  }

  #listenToDrag(signal: AbortSignal): void {
    const cross = this.#cross
    const draggedTo = (event: PointerEvent): Pixels => {
      const [{ x, y }, by] = [this.#middle, this.#sincePressed(event)]
      return { x: x + by.x, y: y + by.y }
    }
    const listen = (type: 'down' | 'move' | 'up' | 'cancel', listener: (event: PointerEvent) => void) =>
      cross.addEventListener(
        `pointer${type}`,
        (event) => (type === 'down' || cross.hasPointerCapture(event.pointerId)) && listener(event),
        { signal },
      )
    listen('down', (event) => {
      this.#pressed = pixelsOf(event)
      cross.setPointerCapture(event.pointerId)
      event.preventDefault()
    })
    listen('move', (event) => place(cross, draggedTo(event)))
    listen('up', (event) => this.#choose(draggedTo(event)))
    listen('cancel', () => this.#draw())
  }
}

const pixelsOf = ({ clientX: x, clientY: y }: MouseEvent): Pixels => ({ x, y })

const normalized = ({ latitude, longitude }: Position): Position =>
  roundedPosition({ latitude, longitude: wrapLongitude(longitude) })

function place(mark: HTMLElement, { x, y }: Pixels): void {
  mark.style.left = `${x}px`
  mark.style.top = `${y}px`
}
