import { exchange } from '../api/request.ts'
import { callerOf, rememberedUser, type Person } from '../api/signed-in.ts'
import { siteOfPage, type SiteAddress } from '../api/site.ts'
import { store, stored } from '../client/storage.ts'
import { pageAsked } from '../map/page/page-events.ts'
import { kinds } from '../kinds.ts'
import type { Fountain } from '../map/data/cell.ts'
import type { MapPage } from '../map/page/map-page.ts'
import { directionOf, type Position } from '../map/page/position.ts'
import { fill, formatFor, type Format } from '../messages.ts'
import { shownName, type Nameable } from '../naming.ts'
import type { Visitor } from './rights.ts'
import type { ContributeWords } from './words.ts'

/** The fountain of an action. */
export interface Subject {
  readonly id: number
  readonly name: string
  /** The fountain as the map has it, where there is a map. */
  readonly fountain?: Fountain
}

/** The shared setting of all forms of a page: its texts, the signed-in user, and the map where the page has one. */
export class Setting {
  readonly site: SiteAddress
  readonly words: ContributeWords
  readonly format: Format
  readonly person: Person | undefined
  readonly visitor: Visitor
  /** Whether reports are allowed without an account. */
  readonly mayAnybodyReport: boolean
  readonly map: MapPage | undefined
  readonly #metres: Intl.NumberFormat

  constructor(
    site: SiteAddress,
    words: ContributeWords,
    { person, visitor, mayAnybodyReport }: SignedIn,
    map: MapPage | undefined,
  ) {
    this.site = site
    this.words = words
    this.format = formatFor(site.tag)
    this.person = person
    this.visitor = visitor
    this.mayAnybodyReport = mayAnybodyReport
    this.map = map
    this.#metres = new Intl.NumberFormat(site.tag, { maximumFractionDigits: 0 })
  }

  /** An amenity's name; unknown ones are returned unchanged. */
  amenity(key: string): string {
    const names: Readonly<Record<string, string>> = this.words.amenity
    return (Object.hasOwn(names, key) ? names[key] : undefined) ?? key
  }

  /** The title of a fountain: its name, or its label in the language of the page. */
  titleOf(fountain: Nameable): string {
    return shownName(fountain, kinds, {
      unnamed: this.words.unnamed,
      amenity: (key) => this.amenity(key),
    })
  }

  /** A text with user text inserted. */
  with(sentence: string, values: Readonly<Record<string, string>>): string {
    return fill(
      sentence,
      Object.fromEntries(Object.entries(values).map(([name, text]) => [name, this.format.isolate(text)])),
    )
  }

  /** A short distance, to the metre below a kilometre. */
  distance(metres: number): string {
    const { distanceMetres, distanceKilometres } = this.words.map
    return metres < 995
      ? fill(distanceMetres, { n: this.#metres.format(metres) })
      : fill(distanceKilometres, { n: this.format.number(Math.round(metres / 100) / 10) })
  }

  /** A direction such as ‘to the north-east’. */
  direction(bearing: number): string {
    return fill(this.words.map.bearing, { direction: this.words.map.directions[directionOf(bearing)] })
  }

  /** Address of the sign-in page. */
  get signInPage(): string {
    return `${homeOf(this.site)}sign-in/`
  }

  /** Address of the map, centred on a place with a fountain selected. */
  mapAddress({ latitude, longitude }: Position, fountain: number, action: string): string {
    return `${homeOf(this.site)}?at=${latitude.toFixed(5)},${longitude.toFixed(5)},18&fountain=${fountain}#${action}`
  }
}

interface SignedIn {
  readonly person: Person | undefined
  readonly visitor: Visitor
  readonly mayAnybodyReport: boolean
}

function homeOf({ base, tag }: SiteAddress): string {
  const [first] = (document.documentElement.dataset['languages'] ?? tag).split(' ')
  return tag === first ? base : `${base}${tag}/`
}

const words = new Map<string, Promise<ContributeWords>>()

function wordsOf({ base, tag }: SiteAddress): Promise<ContributeWords> {
  const kept = words.get(tag)
  if (kept) return kept
  const read = fetch(`${base}languages/forms/${tag}.json`).then((response) => {
    if (!response.ok) throw new Error(`The words returned ${response.status}`)
    return response.json() as Promise<ContributeWords>
  })
  words.set(tag, read)
  // A later tap tries again.
  read.catch(() => words.delete(tag))
  return read
}

let signedIn: Promise<SignedIn> | undefined
/** The user remembered by this browser at the last request. */
let askedAs: string | undefined

/** Whether reports are allowed without an account, stored for use offline. */
const openKey = 'open-observations'

/** Offline, the remembered user goes on: the server decides in the end. */
async function whoIsHere(site: SiteAddress): Promise<SignedIn> {
  try {
    const { user, mayAnybodyReport } = await callerOf(site)
    store(openKey, mayAnybodyReport ? '1' : undefined)
    return { person: user, visitor: user, mayAnybodyReport }
  } catch {
    signedIn = undefined
    const person = rememberedUser()
    return { person, visitor: person && 'unknown', mayAnybodyReport: stored(openKey) !== null }
  }
}

/** Asks again for the signed-in user at the next use: the last submission may have earned XP. */
export function askAgain(): void {
  signedIn = undefined
}

/** @throws Error when the texts cannot be read */
export async function settingOfPage(): Promise<Setting> {
  const site = siteOfPage()
  const remembered = rememberedUser()?.id
  // Another account has signed in since, in another tab.
  if (remembered !== askedAs) signedIn = undefined
  askedAs = remembered
  signedIn ??= whoIsHere(site)
  const [read, who] = await Promise.all([wordsOf(site), signedIn])
  return new Setting(site, read, who, mapOfPage())
}

function mapOfPage(): MapPage | undefined {
  let found: MapPage | undefined
  document.dispatchEvent(
    new CustomEvent(pageAsked, {
      detail: (page: MapPage) => {
        found = page
      },
    }),
  )
  return found
}

/** Reads from the API with a short timeout, since the user is waiting. @throws Refusal */
export async function readQuickly<Body>(
  path: string,
): Promise<{ readonly body: Body; readonly etag: string | undefined }> {
  return exchange<Body>(siteOfPage(), 'GET', path, { timeoutMilliseconds: 8000 })
}
