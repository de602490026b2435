/** The way from this page to the service's address. */
export const { root } = document.body.dataset

/** An element with attributes and children; text is text. */
export const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children)
  return element
}
export const all = (selector) => [...document.querySelectorAll(selector)]
