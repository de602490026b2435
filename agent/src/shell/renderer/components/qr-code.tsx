/** A QR picture from rows of `0` and `1`, quiet zone included; dark on white in every colour scheme, or phones fail on it. */
export const QrCode = ({ rows, label }: { readonly rows: readonly string[]; readonly label: string }) => {
  const side = rows.length
  const dark = rows.flatMap((row, y) =>
    row.split('').flatMap((module, x) => (module === '1' ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg className="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
