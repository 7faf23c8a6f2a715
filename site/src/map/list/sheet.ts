import { elementBy } from '../../client/element-by.ts'

/** How far the list is pulled up. */
const steps = ['collapsed', 'half', 'full'] as const

type Step = (typeof steps)[number]

/** A hand moves this much while it taps. */
const tapPixels = 5

/** The step in whose share of the free height a drag ends. */
const ends = [
  [0.25, 'collapsed'],
  [0.8, 'half'],
  [Infinity, 'full'],
] as const

/** The list of a phone, over the map: its handle is dragged, tapped or moved by arrow keys. Beside a map it is whole, without a handle. */
export class Sheet {
  readonly #panel = elementBy('#panel')
  readonly #body = elementBy('#panel-body')
  readonly #handle = elementBy('#sheet')
  #drag: { readonly y: number; readonly lift: number; readonly most: number } | undefined
  #hasDragged = false

  constructor() {
    const handle = this.#handle
    handle.addEventListener('click', () => {
      if (!this.#hasDragged) this.show(steps[(steps.indexOf(this.#step) + 1) % steps.length] ?? 'half')
    })
    handle.addEventListener('keydown', (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
      const to = event.key === 'Escape' ? 'collapsed' : by && steps[steps.indexOf(this.#step) + by]
      if (by !== undefined) event.preventDefault()
      if (to) this.show(to)
    })
    this.#listenToDrag()
    // The focus is never out of view.
    this.#body.addEventListener('focusin', () => {
      if (this.#step === 'collapsed') this.show('half')
    })
    elementBy('#query').addEventListener('focus', () => this.show('full'))
  }

  get #step(): Step {
    return steps.find((step) => step === this.#panel.dataset['sheet']) ?? 'collapsed'
  }

  show(step: Step): void {
    this.#panel.dataset['sheet'] = step
    this.#handle.ariaExpanded = String(step !== 'collapsed')
  }

  #listenToDrag(): void {
    const [handle, panel, body] = [this.#handle, this.#panel, this.#body]
    const height = (): number => panel.parentElement?.clientHeight ?? 0
    handle.addEventListener('pointerdown', ({ clientY: y, pointerId }) => {
      this.#hasDragged = false
      this.#drag = { y, lift: body.offsetHeight, most: height() - panel.offsetHeight }
      handle.setPointerCapture(pointerId)
    })
    const liftAt = ({ clientY }: PointerEvent): number => {
      const { y, lift, most } = this.#drag ?? { y: clientY, lift: 0, most: 0 }
      if (Math.abs(clientY - y) > tapPixels) this.#hasDragged = true
      return Math.max(0, Math.min(most, lift + y - clientY))
    }
    handle.addEventListener('pointermove', (event) => {
      const lift = liftAt(event)
      if (this.#drag && this.#hasDragged) panel.style.setProperty('--lift', `${lift}px`)
    })
    const end = (event: PointerEvent): void => {
      const share = liftAt(event) / (this.#drag?.most ?? 1)
      if (this.#drag && this.#hasDragged) this.show(ends.find(([least]) => share < least)?.[1] ?? 'full')
      this.#drag = undefined
      panel.style.removeProperty('--lift')
    }
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  }
}
