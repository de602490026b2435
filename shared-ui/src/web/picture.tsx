import type { ReactNode } from 'react'

interface Props {
  /** An address of this page's own. */
  readonly src: string | undefined
  readonly alt: string
  readonly width?: number
  readonly height?: number
  /** What is said where there is none. */
  readonly none?: ReactNode
}

/** A picture of a camera or a display, or the place for it. */
export const Picture = ({ src, alt, none, ...size }: Props) => {
  if (src) return <img className="picture" src={src} alt={alt} {...size} />
  return <div className={none ? 'picture empty' : 'picture'}>{none}</div>
}
