import { render, type VNode } from 'preact'

interface Holder extends Element {
  placed?: HTMLElement
}

/** A view as an element to be placed among others, and updated there. @param holder an element of the kind that it stands in */
export function placed(view: VNode, holder: Holder): HTMLElement {
  render(view, holder)
  return (holder.placed ??= holder.firstElementChild as HTMLElement)
}
