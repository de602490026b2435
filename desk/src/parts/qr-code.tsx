import { encode } from 'uqr'

interface Props {
  readonly text: string
  readonly label: string
}

/** Drawn here: a secret goes to nobody who draws pictures. With the quiet zone that scanners want. */
export const QrCode = ({ text, label }: Props) => {
  const { data, size } = encode(text, { border: 4, ecc: 'M' })
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  )
}
