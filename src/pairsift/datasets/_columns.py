"""Documented column names of the published tables, for tables that are downloaded."""

from itertools import product


def names(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())


def numbered(prefix: str, count: int, start: int = 1) -> tuple[str, ...]:
    """Return ``prefix1, prefix2, ...``."""
    return tuple(f"{prefix}{number}" for number in range(start, start + count))


def points(count: int) -> tuple[str, ...]:
    """Return ``x1, y1, x2, y2, ...``."""
    return tuple(f"{axis}{k}" for k, axis in product(range(1, count + 1), "xy"))


MFEAT_BLOCKS = {"fou": 76, "fac": 216, "kar": 64, "pix": 240, "zer": 47, "mor": 6}


def _arrhythmia() -> tuple[str, ...]:
    """Name 15 general measurements, then waves and amplitudes of 12 channels."""
    general = names(
        """age sex height weight QRSduration PRinterval Q-Tinterval Tinterval
    Pinterval QRS T P QRST J heartrate"""
    )
    channels = names("DI DII DIII AVR AVL AVF V1 V2 V3 V4 V5 V6")
    waves = names(
        """Qwave Rwave Swave RPwave SPwave intrinsicReflecttions RRwaveExists
    DD_RRwaveExists RPwaveExists DD_RPwaveExists RTwaveExists DD_RTwaveExists"""
    )
    amplitudes = names(
        """JJwaveAmp QwaveAmp RwaveAmp SwaveAmp RPwaveAmp SPwaveAmp PwaveAmp
    TwaveAmp QRSA QRSTA"""
    )
    return (
        *general,
        *(f"ch{channel}_{wave}" for channel, wave in product(channels, waves)),
        *(f"ch{channel}_{value}" for channel, value in product(channels, amplitudes)),
    )


def _spambase() -> tuple[str, ...]:
    words = names(
        """make address all 3d our over remove internet order mail receive will
    people report addresses free business email you credit your font 000 money hp hpl
    george 650 lab labs telnet 857 data 415 85 technology 1999 parts pm direct cs
    meeting original project re edu table conference"""
    )
    return (
        *(f"word_freq_{word}" for word in words),
        *(f"char_freq_{character}" for character in ";([!$#"),
        *(f"capital_run_length_{what}" for what in ("average", "longest", "total")),
    )


def _mfeat() -> tuple[str, ...]:
    return tuple(
        name for block, d in MFEAT_BLOCKS.items() for name in numbered(f"{block}_", d)
    )


ARRHYTHMIA = _arrhythmia()
SPAMBASE = _spambase()
MFEAT = _mfeat()

BOSTON = names("CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT")

DERMATOLOGY = names(
    """erythema scaling definite_borders itching koebner_phenomenon polygonal_papules
    follicular_papules oral_mucosal_involvement knee_and_elbow_involvement
    scalp_involvement family_history melanin_incontinence eosinophils_in_the_infiltrate
    PNL_infiltrate fibrosis_of_the_papillary_dermis exocytosis acanthosis hyperkeratosis
    parakeratosis clubbing_of_the_rete_ridges elongation_of_the_rete_ridges
    thinning_of_the_suprapapillary_epidermis spongiform_pustule munro_microabcess
    focal_hypergranulosis disappearance_of_the_granular_layer
    vacuolisation_and_damage_of_basal_layer spongiosis saw-tooth_appearance_of_retes
    follicular_horn_plug perifollicular_parakeratosis
    inflammatory_monoluclear_inflitrate band-like_infiltrate age"""
)

HEART = names(
    """age sex chest_pain_type resting_blood_pressure serum_cholestoral
    fasting_blood_sugar resting_electrocardiographic_results
    maximum_heart_rate_achieved exercise_induced_angina oldpeak slope
    number_of_major_vessels thal"""
)

ILPD = names(
    """age gender total_bilirubin direct_bilirubin alkphos sgpt sgot total_proteins
    albumin ag_ratio"""
)

KDD99 = names(
    """duration protocol_type service flag src_bytes dst_bytes land wrong_fragment
    urgent hot num_failed_logins logged_in num_compromised root_shell su_attempted
    num_root num_file_creations num_shells num_access_files num_outbound_cmds
    is_host_login is_guest_login count srv_count serror_rate srv_serror_rate
    rerror_rate srv_rerror_rate same_srv_rate diff_srv_rate srv_diff_host_rate
    dst_host_count dst_host_srv_count dst_host_same_srv_rate dst_host_diff_srv_rate
    dst_host_same_src_port_rate dst_host_srv_diff_host_rate dst_host_serror_rate
    dst_host_srv_serror_rate dst_host_rerror_rate dst_host_srv_rerror_rate"""
)

PAGE_BLOCKS = names(
    "height length area eccen p_black p_and mean_tr blackpix blackand wb_trans"
)

SEGMENTATION = names(
    """region-centroid-col region-centroid-row region-pixel-count short-line-density-5
    short-line-density-2 vedge-mean vedge-sd hedge-mean hedge-sd intensity-mean
    rawred-mean rawblue-mean rawgreen-mean exred-mean exblue-mean exgreen-mean
    value-mean saturation-mean hue-mean"""
)

SOYBEAN = names(
    """date plant-stand precip temp hail crop-hist area-damaged severity seed-tmt
    germination plant-growth leaves leafspots-halo leafspots-marg leafspot-size
    leaf-shread leaf-malf leaf-mild stem lodging stem-cankers canker-lesion
    fruiting-bodies external-decay mycelium int-discolor sclerotia fruit-pods
    fruit-spots seed mold-growth seed-discolor seed-size shriveling roots"""
)

STEEL = names(
    """X_Minimum X_Maximum Y_Minimum Y_Maximum Pixels_Areas X_Perimeter Y_Perimeter
    Sum_of_Luminosity Minimum_of_Luminosity Maximum_of_Luminosity Length_of_Conveyer
    TypeOfSteel_A300 TypeOfSteel_A400 Steel_Plate_Thickness Edges_Index Empty_Index
    Square_Index Outside_X_Index Edges_X_Index Edges_Y_Index Outside_Global_Index
    LogOfAreas Log_X_Index Log_Y_Index Orientation_Index Luminosity_Index
    SigmoidOfAreas"""
)

WBCD = names(
    """clump_thickness uniformity_of_cell_size uniformity_of_cell_shape
    marginal_adhesion single_epithelial_cell_size bare_nuclei bland_chromatin
    normal_nucleoli mitoses"""
)
