import Negotiator from 'negotiator'
import type { Variant } from './entity-tag.ts'

/** Any parameter of a media range but its weight: `text/csv; header=present` asks for `text/csv`. */
const parameter = /;(?!\s*q\s*=)[^;,]*/giu

/**
 * Chooses the media type of a response (RFC 9110, section 12.5.1). Of types with the same weight the one that is named
 * comes before those that a wildcard covers, and the one that is named first before the others.
 *
 * @param accept the Accept header, or null
 * @param available the first one is the default, also when the client takes none of them: a response in JSON helps
 * more than a refusal
 */
export function chosenMedia(accept: string | null, available: readonly string[]): string {
  const [fallback = ''] = available
  if (accept === null || available.length < 2) return fallback
  const headers = { accept: accept.replaceAll(parameter, '') }
  return new Negotiator({ headers }).mediaType(available) ?? fallback
}

/** The part of a negotiator that is used for codings; its published types lack the options. */
interface CodingNegotiator {
  encoding(
    available: readonly string[],
    options: { readonly preferred: readonly string[] },
  ): string | undefined
}

const codings = ['br', 'gzip'] as const

/**
 * Chooses the content coding that the client prefers; Brotli wins a tie (RFC 9110, section 12.5.3).
 *
 * @param accepted the Accept-Encoding header, or null
 */
export function chosenVariant(accepted: string | null): Variant {
  if (accepted === null) return ''
  // RFC 9110 has x-gzip as another name of gzip.
  const headers = { 'accept-encoding': accepted.replaceAll(/x-gzip/giu, 'gzip') }
  const negotiator: CodingNegotiator = new Negotiator({ headers })
  const coding = negotiator.encoding(codings, { preferred: codings })
  if (coding === 'br') return 'br'
  return coding === 'gzip' ? 'gz' : ''
}
