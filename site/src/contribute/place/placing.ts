import { distanceMetres } from '@openfountain/core/geodesy'
import { icon } from '../../map/card/icons.ts'
import { element } from '../../map/card/markup.ts'
import { coverOf } from '../../map/page/covered.ts'
import { bearingDegrees, wrapLongitude, type Position } from '../../map/page/position.ts'
import { fill } from '../../messages.ts'
import { mark } from '../form/control.ts'
import { labelled } from '../form/controls.ts'
import type { Setting } from '../setting.ts'
import { candidatesAt, CandidateList, type Candidate, type CandidateActions } from './near.ts'
import { parsePosition, positionText, roundedPosition } from './coordinates.ts'
import { Crosshair, type Fix } from './crosshair.ts'

export interface PlacingOptions {
  readonly title: string
  /** Label of the button that takes the position. */
  readonly take: string
  /** The initial position; default the middle of the map. */
  readonly start?: Position
  /** The old position of a fountain that is moved. */
  readonly before?: Position
  /** The actions on existing fountains there; without them the fountains are not shown. */
  readonly candidates?: CandidateActions
}

/** A chosen position, with the known fountains there. */
export interface PickedPlace {
  readonly position: Position
  readonly candidates: Promise<readonly Candidate[]>
}

/** From this zoom on a finger is accurate to about ten metres. */
const exactZoom = 16
const closeZoom = 18
/** The server is asked after the map has rested for this time. */
const restMilliseconds = 350

const metreDegrees = 1 / 111_195

const directions = [
  { key: 'n', north: 1, east: 0, arrow: 'ArrowUp' },
  { key: 'w', north: 0, east: -1, arrow: 'ArrowLeft' },
  { key: 'e', north: 0, east: 1, arrow: 'ArrowRight' },
  { key: 's', north: -1, east: 0, arrow: 'ArrowDown' },
] as const

/** Asks the user for a position. @returns undefined when they closed the dialog */
export function choosePlace(setting: Setting, options: PlacingOptions): Promise<PickedPlace | undefined> {
  return new Promise((resolve) => new PlacePicker(setting, options, resolve))
}

class PlacePicker {
  readonly #setting: Setting
  readonly #options: PlacingOptions
  readonly #resolve: (placed: PickedPlace | undefined) => void
  readonly #root: HTMLElement
  readonly #status = element('p', { class: 'contribute-where', role: 'status' })
  readonly #near: CandidateList | undefined
  readonly #take: HTMLButtonElement
  readonly #ending = new AbortController()
  readonly #returnTo = document.activeElement
  readonly #sizes = new ResizeObserver(() => this.#keepClear())
  #cross: Crosshair | undefined
  #position: Position | undefined
  #rest: ReturnType<typeof setTimeout> | undefined
  #candidates: Promise<readonly Candidate[]> = Promise.resolve([])
  #run = 0
  /** Whether the user typed or nudged the position; a late answer of the device then does not move it. */
  #isChosen = false

  constructor(setting: Setting, options: PlacingOptions, resolve: (placed: PickedPlace | undefined) => void) {
    this.#setting = setting
    this.#options = options
    this.#resolve = resolve
    const { words, map } = setting
    const { contribute } = words
    const { candidates } = options
    this.#near =
      candidates &&
      new CandidateList(setting, {
        open: (one) => (this.#end(undefined), candidates.open(one)),
        edit: (one) => (this.#end(undefined), candidates.edit(one)),
      })
    this.#take = element(
      'button',
      { type: 'button', class: 'button contribute-take' },
      icon('approved'),
      options.take,
    )
    this.#take.addEventListener('click', () => this.#taken())
    const close = element(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': words.map.close },
      icon('close'),
    )
    close.addEventListener('click', () => this.#end(undefined))
    const mine = element(
      'button',
      { type: 'button', class: 'button button-quiet button-small' },
      icon('nearMe'),
      contribute.myPosition,
    )
    mine.addEventListener('click', () => this.#locate())
    const heading = element(
      'h2',
      { class: 'card-title', id: 'contribute-place-title', tabindex: '-1' },
      element('bdi', {}, options.title),
    )
    this.#root = element(
      'section',
      {
        class: 'card contribute-place',
        role: 'dialog',
        'aria-modal': 'false',
        'aria-labelledby': 'contribute-place-title',
      },
      element('header', { class: 'card-head' }, heading, close),
      element(
        'div',
        { class: 'card-body' },
        this.#status,
        mine,
        this.#near?.root,
        element('div', { class: 'contribute-tools' }, ...this.#tools()),
      ),
      element('div', { class: 'contribute-take-row' }, this.#take),
    )
    this.#root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      this.#end(undefined)
    })
    map?.closeCard()
    const stage = map?.container.closest('.main') ?? document.body
    stage.append(this.#root)
    this.#sizes.observe(this.#root)
    document.documentElement.classList.add('contribute-placing')
    heading.focus({ preventScroll: true })
    const start = options.before ?? options.start
    if (start) this.#set(start)
    map?.withMap(({ map: engine, place }) => {
      if (this.#ending.signal.aborted) return
      this.#cross = new Crosshair(engine, (position) => this.#set(position))
      this.#keepClear()
      if (options.before) this.#cross.showBefore(options.before)
      if (this.#position) this.#cross.go(this.#position, Math.max(closeZoom, place.zoom))
      else this.#set(roundedPosition(place))
    })
    this.#tell()
    if (!start) void this.#locateIfAllowed()
  }

  /** A fountain is mostly moved by metres; a new one is placed with the map. */
  #tools(): readonly HTMLElement[] {
    const [typing, nudging] = [this.#typing(), this.#nudging()]
    return this.#options.before ? [nudging, typing] : [typing, nudging]
  }

  /** Typing coordinates, folded. */
  #typing(): HTMLElement {
    const { contribute } = this.#setting.words
    const entry = element('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      dir: 'ltr',
      enterkeyhint: 'go',
    })
    const { root, problem } = labelled(entry, contribute.coordinates, contribute.coordinatesHint)
    const form = element(
      'form',
      {},
      root,
      element('button', { type: 'submit', class: 'button button-quiet button-small' }, contribute.goThere),
    )
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const position = parsePosition(entry.value, this.#setting.format.tag)
      mark([entry], problem, position ? '' : contribute.problem.coordinates)
      if (!position) return entry.focus()
      this.#set(position)
      this.#cross?.go(position, closeZoom)
    })
    const fold = element(
      'details',
      { class: 'contribute-fold' },
      element('summary', {}, contribute.coordinates),
      form,
    )
    // The event comes a moment later: an entry typed meanwhile stays.
    let offered = ''
    fold.addEventListener('toggle', () => {
      if (!fold.open || entry.value !== offered) return
      entry.value = offered = this.#position ? positionText(this.#position) : ''
      entry.select()
    })
    return fold
  }

  /** Buttons and arrow keys that move the position by a metre. */
  #nudging(): HTMLElement {
    const { contribute, map } = this.#setting.words
    const buttons = directions.map(({ key, north, east }) => {
      const label = fill(contribute.nudgeTo, {
        direction: fill(map.bearing, { direction: map.directions[key] }),
      })
      const button = element(
        'button',
        {
          type: 'button',
          class: `icon-button contribute-nudge contribute-nudge-${key}`,
          'aria-label': label,
          title: label,
        },
        icon('arrow'),
      )
      button.addEventListener('click', () => this.#nudge(north, east))
      return button
    })
    const group = element(
      'div',
      { class: 'contribute-nudges', role: 'group', 'aria-label': contribute.nudge },
      ...buttons,
    )
    group.addEventListener('keydown', (event) => {
      const direction = directions.find(({ arrow }) => arrow === event.key)
      if (!direction) return
      event.preventDefault()
      const steps = event.shiftKey ? 10 : 1
      this.#nudge(direction.north * steps, direction.east * steps)
    })
    return element(
      'details',
      { class: 'contribute-fold', open: this.#options.before !== undefined },
      element('summary', {}, contribute.nudge),
      group,
      element('p', { class: 'faint' }, contribute.nudgeHint),
    )
  }

  #nudge(north: number, east: number): void {
    if (!this.#position) return
    this.#isChosen = true
    const { latitude, longitude } = this.#position
    const position = {
      latitude: Math.max(-90, Math.min(90, latitude + north * metreDegrees)),
      longitude: wrapLongitude(
        longitude + (east * metreDegrees) / Math.max(0.01, Math.cos((latitude * Math.PI) / 180)),
      ),
    }
    this.#set(roundedPosition(position))
    this.#cross?.go(position)
  }

  #set(position: Position): void {
    this.#position = position
    this.#tell()
    clearTimeout(this.#rest)
    if (this.#near) this.#rest = setTimeout(() => void this.#look(), restMilliseconds)
  }

  /** Shows the current position; for a moved fountain also the distance from the old one. */
  #tell(note = ''): void {
    const { contribute } = this.#setting.words
    const { before } = this.#options
    const position = this.#position
    const where = position ? positionText(position) : ''
    let hint = this.#setting.map ? contribute.whereHint : contribute.whereTyped
    if (before && position) {
      const metres = distanceMetres(before, position)
      hint =
        metres < 0.5
          ? contribute.notMoved
          : fill(contribute.moved, {
              distance: this.#setting.distance(Math.max(1, metres)),
              direction: this.#setting.direction(bearingDegrees(before, position)),
            })
    }
    this.#status.replaceChildren(
      element('span', {}, note === '' ? hint : note),
      ...(where === '' ? [] : [element('span', { class: 'contribute-coordinates', dir: 'ltr' }, where)]),
    )
  }

  async #look(): Promise<void> {
    const position = this.#position
    if (!position || this.#ending.signal.aborted) return
    this.#run += 1
    const run = this.#run
    const asked = candidatesAt(this.#setting, position)
    this.#candidates = asked
    const found = await asked
    if (run === this.#run && !this.#ending.signal.aborted) this.#near?.show(found)
  }

  /** With permission already granted, the map begins at the visitor's position. */
  async #locateIfAllowed(): Promise<void> {
    try {
      const { state } = await navigator.permissions.query({ name: 'geolocation' })
      if (state === 'granted' && !this.#ending.signal.aborted && !this.#isChosen) this.#locate()
    } catch {
      // Some browsers cannot query the permission: the button asks.
    }
  }

  #locate(): void {
    const { map: strings, contribute } = this.#setting.words
    if (!('geolocation' in navigator)) return this.#tell(strings.locationFailed)
    this.#tell(strings.locating)
    this.#isChosen = false
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (this.#ending.signal.aborted || this.#isChosen) return
        const fix: Fix = {
          latitude: coords.latitude,
          longitude: coords.longitude,
          accuracyMetres: coords.accuracy,
        }
        const position = roundedPosition(fix)
        this.#set(position)
        this.#cross?.showFix(fix)
        this.#cross?.go(position, closeZoom)
        this.#tell(
          fill(contribute.accuracy, { distance: this.#setting.distance(Math.max(1, coords.accuracy)) }),
        )
      },
      ({ code, PERMISSION_DENIED }) =>
        this.#tell(code === PERMISSION_DENIED ? strings.locationDenied : strings.locationFailed),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 5000 },
    )
  }

  #taken(): void {
    const { map, words } = this.#setting
    if (!this.#position) return this.#tell(words.contribute.problem.coordinates)
    const zoom = map?.map?.place.zoom
    // At a low zoom the position is not exact.
    if (zoom !== undefined && zoom < exactZoom && this.#cross) {
      this.#cross.go(this.#position, closeZoom)
      this.#tell(words.contribute.lookAgain)
      return
    }
    clearTimeout(this.#rest)
    if (this.#near) void this.#look()
    this.#end({ position: this.#position, candidates: this.#candidates })
  }

  #keepClear(): void {
    const { map } = this.#setting
    if (map && this.#cross) this.#cross.keepClearOf(coverOf(this.#root, map.container))
  }

  #end(placed: PickedPlace | undefined): void {
    if (this.#ending.signal.aborted) return
    this.#ending.abort()
    clearTimeout(this.#rest)
    this.#sizes.disconnect()
    this.#cross?.end()
    this.#root.remove()
    document.documentElement.classList.remove('contribute-placing')
    if (this.#returnTo instanceof HTMLElement && this.#returnTo.isConnected)
      this.#returnTo.focus({ preventScroll: true })
    this.#resolve(placed)
  }
}
