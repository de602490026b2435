import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'

/** How the phone is to stand, seen from above. Drawn in the theme's own colours, so that it is seen light and dark. */
export const PlacementDrawing = () => {
  const { t } = useTexts()
  const { colours } = useTheme()
  const { text, soft, line, accent, surface, ground } = colours
  const word = { fill: text, fontSize: 14, fontFamily: 'system-ui, sans-serif' } as const
  // The picture is not mirrored, so its words begin where they stand in every language.
  const style = { width: '100%', maxHeight: 200, direction: 'ltr' } as const
  return (
    <svg viewBox="0 0 320 176" role="img" aria-label={t('drawingLabel')} style={style}>
      <rect x="48" y="14" width="264" height="104" rx="8" fill={surface} stroke={line} strokeWidth="2" />
      <path d="M44 70 L232 18 L232 114 Z" fill={accent} fillOpacity="0.16" />
      <path d="M232 18 L44 70 L232 114" fill="none" stroke={accent} strokeDasharray="5 4" />
      <rect x="122" y="26" width="88" height="10" rx="3" fill={soft} />
      <rect x="128" y="62" width="76" height="24" rx="4" fill={ground} stroke={line} strokeWidth="2" />
      <path
        d="M132 156 Q126 116 148 82 M200 156 Q206 116 184 82"
        fill="none"
        stroke={soft}
        strokeWidth="11"
        strokeLinecap="round"
      />
      <path d="M126 168 Q128 142 166 142 Q204 142 206 168 Z" fill={soft} />
      <circle cx="166" cy="138" r="17" fill={text} />
      <rect x="32" y="54" width="12" height="32" rx="4" fill={accent} />
      <text x="240" y="38" {...word}>
        {t('drawingScreen')}
      </text>
      <text x="240" y="86" {...word}>
        {t('drawingHands')}
      </text>
      <text x="222" y="158" {...word}>
        {t('drawingYou')}
      </text>
      <text x="8" y="140" {...word} fontWeight="700">
        {t('drawingPhone')}
      </text>
      <path d="M34 126 L38 92" stroke={text} strokeWidth="1.5" />
    </svg>
  )
}
