/** Opens the desktop application with an address of its own; any other address is left alone. Whether it opened cannot be known. */
export const openApplication = (url: string): void => {
  if (!url.startsWith('integrity-agent://join?')) return
  const link = Object.assign(document.createElement('a'), { href: url, hidden: true })
  document.body.append(link)
  link.click()
  link.remove()
}

/** Copies the text of an element; where the browser does not permit it, the text is selected instead. */
export const copyText = async (element: HTMLElement): Promise<'copied' | 'selected'> => {
  try {
    await navigator.clipboard.writeText(element.innerText)
    return 'copied'
  } catch {
    getSelection()?.selectAllChildren(element)
    return 'selected'
  }
}
