import Negotiator from 'negotiator'
import { type CodedHere, encodingName } from './compression.ts'
import type { Coded, Variant } from './response.ts'

/** The language of a reader, the first that the browser names. */
export const languageOf = ({ headers }: Request): string | undefined =>
  /^\s*([a-z]{2,3}(?:-[a-z\d]{1,8})*)/iu.exec(headers.get('accept-language') ?? '')?.[1]

/** A weight (RFC 9110, section 12.4.2); 0 for a malformed one. */
function weightOf(text: string): number {
  const weight = Number(text)
  return weight >= 0 && weight <= 1 ? weight : 0
}

/** Weights of media ranges by lower-case name; the first one counts for a repeated range. */
function weightsIn(accept: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const item of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    if (weights.has(range)) continue
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(range, given === undefined ? 1 : weightOf(given.slice(2)))
  }
  return weights
}

/**
 * Chooses the media type of a response (RFC 9110, section 12.5.1): the one with the greatest weight, which is that of
 * the most specific range. Parameters do not matter: `text/csv; header=present` asks for `text/csv`.
 *
 * Negotiator cannot choose it: of types with the same weight it prefers the one that the header names more precisely or
 * first, and it does not return the weights. Here the order of `available` decides, so that JSON wins a tie.
 *
 * @param accept the Accept header, or null
 * @param available the first one is the default, also when the client takes none of them: a response in JSON helps more
 * than a refusal
 */
export function chosenMedia(accept: string | null, available: readonly string[]): string {
  const [fallback = ''] = available
  if (accept === null || available.length < 2) return fallback
  const weights = weightsIn(accept)
  let chosen = fallback
  let greatest = 0
  for (const type of available) {
    const group = `${type.slice(0, type.indexOf('/'))}/*`
    const weight = weights.get(type) ?? weights.get(group) ?? weights.get('*/*') ?? 0
    if (weight > greatest) {
      chosen = type
      greatest = weight
    }
  }
  return chosen
}

interface CodingNegotiator {
  encoding(
    available: readonly string[],
    options: { readonly preferred: readonly string[] },
  ): string | undefined
}

const weightParameter = /;\s*q\s*=([^;,]*)/giu

/** The content coding that the client prefers (RFC 9110, 12.5.3); the first of `available` wins a tie. */
export function chosenVariant(accepted: string | null): CodedHere | ''
export function chosenVariant(accepted: string | null, available: readonly Coded[]): Variant
export function chosenVariant(accepted: string | null, available: readonly Coded[] = ['br', 'gz']): Variant {
  if (accepted === null || available.length === 0) return ''
  const header = accepted
    // RFC 9110 has x-gzip as another name of gzip.
    .replaceAll(/x-gzip/giu, 'gzip')
    // Negotiator reads a missing weight as 1, and keeps one above 1.
    .replaceAll(weightParameter, (_parameter, given: string) => `;q=${weightOf(given)}`)
  const negotiator: CodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const codings = available.map((variant) => encodingName[variant])
  const chosen = negotiator.encoding(codings, { preferred: codings })
  return available.find((variant) => encodingName[variant] === chosen) ?? ''
}
