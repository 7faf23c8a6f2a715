import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import type { Messages } from '../src/messages.ts'
import { flattened } from '../src/texts.ts'

type Node = DefaultTreeAdapterTypes.Node

/** A text that a page shows or reads out, with the language that it claims; '' for none. */
export interface SaidText {
  readonly lang: string
  readonly text: string
  readonly isInHead: boolean
}

/** Elements whose texts are names, times or programs. */
const others: ReadonlySet<string> = new Set(['bdi', 'code', 'link', 'pre', 'script', 'style', 'time'])

/** Attributes that are read out or shown, also by a script. */
const attributes =
  /^(?:alt|aria-label|placeholder|title|data-(?:label|system|light|dark|offer|close|name|region))$/u

export function textsOfPage(html: string): SaidText[] {
  return [...textsIn(parse(html, { scriptingEnabled: false }), '')]
}

function* textsIn(node: Node, around: string, isInHead = false): Generator<SaidText> {
  if ('value' in node) yield* segments(node.value, around, isInHead)
  if (!('childNodes' in node)) return
  const found = 'attrs' in node ? Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])) : {}
  const lang = found['lang'] ?? around
  if ('tagName' in node && others.has(node.tagName)) return
  for (const [name, value] of Object.entries(found))
    if (attributes.test(name)) yield* segments(value, lang, isInHead)
  if (found['name'] === 'description') yield* segments(found['content'] ?? '', lang, isInHead)
  for (const child of node.childNodes) yield* textsIn(child, lang, isInHead || child.nodeName === 'head')
}

function* segments(text: string, lang: string, isInHead: boolean): Generator<SaidText> {
  for (const part of text.split(' · ').map(plain))
    if (/\p{L}{2}/u.test(part)) yield { lang, text: part, isInHead }
}

const plain = (text: string): string =>
  text
    .replaceAll(/[\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^ ?·? ?| ?·? ?$/gu, '')

export function knownTo(messages: Messages): (text: string) => boolean {
  const { texts, counts } = flattened(messages)
  const strings = [...Object.values(texts), ...Object.values(counts).flatMap((forms) => Object.values(forms))]
  const whole = new Set(strings.map(plain))
  const patterns = strings
    .map((text) => plain(text).split(/\{\w+\}/u))
    .filter((parts) => parts.length > 1 && /\p{L}{2}/u.test(parts.join('')))
    .map(
      (parts) =>
        new RegExp(
          `^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)).join('.*')}$`,
          'su',
        ),
    )
  return (text) => whole.has(text) || patterns.some((pattern) => pattern.test(text))
}
