import type { SourceState } from '@openfountain/core'
import { folded } from '@openfountain/core/letters'
import { yesOrNo } from './cell-text.ts'

/** Whether a fountain is there and gives water, as its source says. */
export type Condition = 'works' | 'broken' | 'gone' | 'unknown'

const gone =
  /no longer exist|abandon|demolish|dismantl|removed|planned|proposed|under construction|abgebaut|entfernt|stillgelegt|abgebrochen|geplant|supprime|demonte|deposee|desafecte|rimoss|smantellat|retirad|eliminad|nedlagt|zlikwid|disused/u
const broken =
  /not (?:functional|working|operational)|non functional|out of (?:order|service)|broken|closed|needs? mainten|needs? repair|in need of repair|defekt|ausser betrieb|kaputt|gesperrt|hors service|en panne|a reparer|sans eau|ferme|fuori servizio|guast|chius|fuera de servicio|averiad|cerrad|fora de servei|avariad|buiten gebruik|ur funktion|ude af drift|no water|kein wasser|winterpause|hivernage/u
const works =
  /^(?:functional|operational|working|ok|good|in betrieb|aktiv|active|en service|in servizio|en servicio|attiv[oa]|in gebruik|in operation|open|offen|ouvert|aperto|abierto|available)\b/u

const known = new Map<unknown, Condition>()

/** The condition by a value under a heading of the state. A plain yes means that it works, a plain no the contrary. */
export function conditionOf(value: unknown): Condition {
  const before = known.get(value)
  if (before !== undefined) return before
  const condition = decided(value)
  if (known.size > 10_000) known.clear()
  known.set(value, condition)
  return condition
}

function decided(value: unknown): Condition {
  const isWorking = yesOrNo(value)
  if (isWorking !== undefined) return isWorking ? 'works' : 'broken'
  if (typeof value !== 'string') return 'unknown'
  const plain = folded(value.slice(0, 200))
  if (gone.test(plain) && !/\bor not (?:functional|working)/u.test(plain)) return 'gone'
  if (broken.test(plain)) return 'broken'
  return works.test(plain) ? 'works' : 'unknown'
}

const partlyWorking = /\b(?:partially|partly) (?:functional|working|operational)|teilweise in betrieb/u
const seasonal =
  /winter|vinter|hiver|invern|invier|zimow|season|saison|sasong|seizoen|stagion|estacion|temporada|\bfrost|\bgelo?\b/u

/**
 * Why a fountain that is there gives no water, by values under headings of the state: it is out of order, or closed for
 * the season when status or reason say so. Undefined when it gives water, in part too, or nothing is known.
 */
export function sourceStateOf(status: unknown, reason?: string): SourceState | undefined {
  if (conditionOf(status) !== 'broken') return undefined
  const words = folded(`${typeof status === 'string' ? status : ''} ${reason ?? ''}`.slice(0, 400))
  if (partlyWorking.test(words)) return undefined
  return seasonal.test(words) ? 'off' : 'broken'
}

const allYear =
  /year round|all year|ganzjahrig|toute l annee|tutto l anno|todo el ano|tot l any|ano todo|hele jaar|aret runt|hele aret/u
const partly =
  /spring|summer|sommer|ete\b|estate|verano|estiu|verao|zomer|season|saison|stagion|estacion|(?:may|mai|april|apr|mar|marz|avril|june|juni)\w*\s.*(?:sep|oct|okt|nov|ott)/u

/** Whether a text about the season means all year or a part of it. */
export function seasonOf(value: unknown): 'all-year' | 'seasonal' | undefined {
  if (typeof value !== 'string') return value === true ? 'seasonal' : undefined
  const plain = folded(value.slice(0, 200))
  if (allYear.test(plain)) return 'all-year'
  if (partly.test(plain)) return 'seasonal'
  return yesOrNo(value) === true ? 'seasonal' : undefined
}
