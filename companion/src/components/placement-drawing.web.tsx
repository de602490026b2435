import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'

/** How the phone is to stand, seen from above. Drawn in the theme's own colours, so that it is seen light and dark. */
export const PlacementDrawing = () => {
  const { t } = useTexts()
  const { colours } = useTheme()
  const { text, soft, line, accent, surface, ground } = colours
  const word = { fill: text, fontSize: 13, textAnchor: 'middle', fontFamily: 'system-ui, sans-serif' } as const
  return (
    <svg viewBox="0 0 320 176" role="img" aria-label={t('drawingLabel')} style={{ width: '100%', maxHeight: 220 }}>
      <rect x="40" y="12" width="268" height="108" rx="8" fill={surface} stroke={line} strokeWidth="2" />
      <path d="M36 84 L244 22 L244 112 Z" fill={accent} fillOpacity="0.16" stroke={accent} strokeDasharray="5 4" />
      <rect x="132" y="24" width="96" height="10" rx="3" fill={soft} />
      <text x="180" y="50" {...word}>
        {t('drawingScreen')}
      </text>
      <rect x="138" y="60" width="84" height="26" rx="4" fill={ground} stroke={line} strokeWidth="2" />
      <circle cx="162" cy="90" r="8" fill={soft} />
      <circle cx="198" cy="90" r="8" fill={soft} />
      <text x="180" y="114" {...word}>
        {t('drawingHands')}
      </text>
      <path d="M142 164 Q180 116 218 164" fill="none" stroke={soft} strokeWidth="10" strokeLinecap="round" />
      <circle cx="180" cy="146" r="15" fill={soft} />
      <text x="240" y="152" {...word} textAnchor="start">
        {t('drawingYou')}
      </text>
      <rect x="24" y="66" width="12" height="36" rx="4" fill={accent} />
      <text x="34" y="140" {...word} fontWeight="700">
        {t('drawingPhone')}
      </text>
      <path d="M32 126 V108" stroke={text} strokeWidth="1.5" />
    </svg>
  )
}
