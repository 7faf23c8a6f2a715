import { render, type VNode } from 'preact'

interface Holder extends Element {
  placed?: HTMLElement
}

/**
 * A view as an element of its own, to be placed among others; once placed elsewhere, it is updated there.
 *
 * @param holder an element of the kind that it stands in, kept to render it again
 */
export function placed(view: VNode, holder: Holder): HTMLElement {
  render(view, holder)
  return (holder.placed ??= holder.firstElementChild as HTMLElement)
}
