const titleOf = (section: string): string => section.slice(0, section.indexOf('\n'))

/**
 * A document of sections (`## …`) in which these stand in place of those of the same title, or at its end. What people wrote,
 * its head and the sections that no bench has, stays.
 */
export const replaceSections = (document: string, sections: readonly string[]): string => {
  const [head = '', ...parts] = document.split(/^(?=## )/m)
  for (const section of sections) {
    const at = parts.findIndex((part) => titleOf(part) === titleOf(section))
    if (at < 0) parts.push(section)
    else parts[at] = section
  }
  return `${[head, ...parts].map((part) => part.trim()).join('\n\n')}\n`
}
