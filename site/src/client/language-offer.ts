import { directionOf } from '../direction.ts'
import { isDefault, remember, wantedLanguage } from './language-choice.ts'

/** Offers the visitor's language above a page without a language in its address, until they accept or close the offer. */
export function offerLanguage(): void {
  const { lang } = document.documentElement
  if (!isDefault(lang)) return remember(lang)
  const wanted = wantedLanguage()
  const link = document.querySelector<HTMLAnchorElement>(`a[data-language="${wanted}"]`)
  const { offer, close } = link?.dataset ?? {}
  if (!link || offer === undefined || close === undefined) return
  const box = document.createElement('p')
  box.className = 'language-offer small'
  box.lang = wanted
  box.dir = directionOf(wanted)
  const taken = document.createElement('a')
  // With the current place and filters of a map.
  taken.href = link.href
  taken.hreflang = wanted
  taken.dataset['language'] = wanted
  taken.textContent = offer
  taken.addEventListener(
    'click',
    () => (taken.href = `${link.href.split(/[?#]/u, 1)[0] ?? ''}${location.search}${location.hash}`),
  )
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'icon-button'
  button.ariaLabel = close
  button.textContent = '×'
  button.addEventListener('click', () => {
    remember(lang)
    box.remove()
  })
  box.append(taken, button)
  const place = document.querySelector('.panel-body') ?? document.querySelector('.main')
  place?.prepend(box)
}
