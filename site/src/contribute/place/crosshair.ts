import type { Map as MapLibreMap } from 'maplibre-gl'
import { wrapLongitude, type Position } from '../../map/page/position.ts'
import { roundedPosition } from './coordinates.ts'

/** The visitor's position, with its accuracy. */
export interface Fix extends Position {
  readonly accuracyMetres: number
}

const equatorMetres = 40_075_016.686
const tileSize = 512
/** A hand moves this much while it taps. */
const tapPixels = 5

/**
 * A crosshair in the middle of the visible map. It stays while the map moves; it can also be dragged, and the map then
 * follows. A tap on the map moves that position to the middle.
 */
export class Crosshair {
  readonly #map: MapLibreMap
  readonly #cross = marker('cross')
  readonly #circle = marker('accuracy')
  readonly #before = marker('before')
  readonly #ending = new AbortController()
  readonly #moved: (position: Position) => void
  #fix: Fix | undefined
  #old: Position | undefined
  /** Whether this class is moving the map. */
  #isOwn = false
  #pressed: { readonly x: number; readonly y: number } | undefined

  /** @param moved called when the user moved the map */
  constructor(map: MapLibreMap, moved: (position: Position) => void) {
    this.#map = map
    this.#moved = moved
    const container = map.getContainer()
    container.parentElement?.append(this.#circle, this.#before, this.#cross)
    const { signal } = this.#ending
    // During a drag the dot under the finger must not open.
    container.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => (this.#pressed = { x, y }), {
      signal,
      capture: true,
    })
    container.addEventListener('click', (event) => this.#tapped(event), { signal, capture: true })
    map.on('move', this.#onMove)
    map.on('resize', this.#onMove)
    this.#listenToDrag(signal)
    this.#draw()
  }

  /** The middle of the uncovered map, in pixels. */
  get #middle(): { x: number; y: number } {
    return this.#map.project(this.#map.getCenter())
  }

  readonly #onMove = (): void => {
    this.#draw()
    if (this.#isOwn) return
    const { lat, lng } = this.#map.getCenter()
    this.#moved(roundedPosition({ latitude: lat, longitude: wrapLongitude(lng) }))
  }

  /** Brings a place into the middle. */
  go({ latitude, longitude }: Position, zoom = this.#map.getZoom()): void {
    this.#isOwn = true
    this.#map.jumpTo({ center: [longitude, latitude], zoom })
    this.#isOwn = false
    this.#draw()
  }

  /** Keeps the middle out of the panels that cover the map at the bottom and at the inline start. */
  keepClearOf(padding: { left: number; right: number; bottom: number }): void {
    this.#isOwn = true
    this.#map.jumpTo({ center: this.#map.getCenter(), padding: { top: 0, ...padding } })
    this.#isOwn = false
    this.#draw()
  }

  /** Draws the visitor's position, with its accuracy as a circle. */
  showFix(fix: Fix): void {
    this.#fix = fix
    this.#draw()
  }

  /** Draws where the fountain was. */
  showBefore(position: Position): void {
    this.#old = position
    this.#draw()
  }

  end(): void {
    this.#ending.abort()
    this.#map.off('move', this.#onMove)
    this.#map.off('resize', this.#onMove)
    for (const one of [this.#cross, this.#circle, this.#before]) one.remove()
    this.#isOwn = true
    this.#map.jumpTo({ center: this.#map.getCenter(), padding: { top: 0, left: 0, right: 0, bottom: 0 } })
  }

  #draw(): void {
    place(this.#cross, this.#middle)
    const { latitude } = this.#fix ?? {}
    this.#circle.hidden = this.#fix === undefined
    if (this.#fix && latitude !== undefined) {
      const metresPerPixel =
        (equatorMetres * Math.cos((latitude * Math.PI) / 180)) / (tileSize * 2 ** this.#map.getZoom())
      const pixels = Math.max(8, (2 * this.#fix.accuracyMetres) / metresPerPixel)
      this.#circle.style.width = this.#circle.style.height = `${pixels}px`
      place(this.#circle, this.#map.project([this.#fix.longitude, this.#fix.latitude]))
    }
    this.#before.hidden = this.#old === undefined
    if (this.#old) place(this.#before, this.#map.project([this.#old.longitude, this.#old.latitude]))
  }

  /** The map must not open the fountain under the finger. */
  #tapped(event: MouseEvent): void {
    event.stopPropagation()
    const { x, y } = this.#pressed ?? { x: event.clientX, y: event.clientY }
    if (Math.hypot(event.clientX - x, event.clientY - y) > tapPixels) return
    const { left, top } = this.#map.getContainer().getBoundingClientRect()
    const { lat, lng } = this.#map.unproject([event.clientX - left, event.clientY - top])
    this.#choose({ latitude: lat, longitude: lng })
  }

  #choose({ latitude, longitude }: Position): void {
    const position = roundedPosition({ latitude, longitude: wrapLongitude(longitude) })
    this.go(position)
    this.#moved(position)
  }

  #listenToDrag(signal: AbortSignal): void {
    let start: { readonly x: number; readonly y: number } | undefined
    const draggedTo = ({ clientX, clientY }: PointerEvent): [x: number, y: number] | undefined => {
      const { x, y } = this.#middle
      return start && [x + clientX - start.x, y + clientY - start.y]
    }
    const listen = (
      type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
      listener: (event: PointerEvent) => void,
    ) => this.#cross.addEventListener(type, listener, { signal })
    listen('pointerdown', (event) => {
      start = { x: event.clientX, y: event.clientY }
      this.#cross.setPointerCapture(event.pointerId)
      event.preventDefault()
    })
    listen('pointermove', (event) => {
      const to = draggedTo(event)
      if (to) place(this.#cross, { x: to[0], y: to[1] })
    })
    listen('pointerup', (event) => {
      const to = draggedTo(event)
      start = undefined
      if (!to) return
      const { lat, lng } = this.#map.unproject(to)
      this.#choose({ latitude: lat, longitude: lng })
    })
    listen('pointercancel', () => {
      start = undefined
      this.#draw()
    })
  }
}

function marker(kind: string): HTMLElement {
  const made = document.createElement('div')
  made.className = `contribute-${kind}`
  made.ariaHidden = 'true'
  return made
}

function place(mark: HTMLElement, { x, y }: { readonly x: number; readonly y: number }): void {
  mark.style.left = `${x}px`
  mark.style.top = `${y}px`
}
