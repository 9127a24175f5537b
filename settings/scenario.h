/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenario: the content of a user's JSON file, checked and with every default filled in.
 *
 * One table (table.c) drives the validator, the defaults, `check --print-effective` and the JSON
 * Schema, so that they cannot disagree. This struct holds values only; the objects made from them (grid,
 * forcing, output) live where they are used. Units are in the names of the JSON keys and in brackets here.
 */
#ifndef MAEOTIS_SETTINGS_SCENARIO_H
#define MAEOTIS_SETTINGS_SCENARIO_H

#include "base/calendar.h"
#include "base/error.h"
#include "kinetics/module.h"
#include "numerics/grid/cuts.h"
#include "settings/choices.h"
#include <stdbool.h>

/* A number that may vary: "eta_m": 0.1  |  "0.1*cos(pi*x/Lx)"  |  {"file": "levels.csv", "column": "eta_m"}.
 */
typedef enum ValueKind { VALUE_ABSENT, VALUE_CONSTANT, VALUE_EXPRESSION, VALUE_FILE } ValueKind;
typedef struct Value {
    ValueKind kind;
    double constant;
    char *expression;
    char *file;   /* path, already relative to the scenario's folder */
    char *column; /* CSV column or NetCDF variable; NULL: found by its name or its standard name */
    double (
        *classes)[2]; /* of a map of classes: class and number; NULL: the map holds the numbers themselves */
    int n_classes;
    char *place; /* "scenario.json:12:7 (/initial/eta_m)", for messages about this value; NULL if absent */
    bool
        of_nest; /* `file` is the coarse run's, and the value falls to its default if that does not hold it */
    double least, most; /* the limits of the key, for formulas too; both 0: none */
    bool above;         /* `least` itself is not allowed */
} Value;

/* A finite number within the limits. Local. */
bool value_allows(const Value *value, double number);

/* A number from a file that is outside a range by no more than round-off becomes the range's end. */
double value_rounded_into(double number, double least, double most);

/* "must be a finite number from -100 to 100", for messages; holds until the next call. */
const char *value_limits(const Value *value);

typedef enum GridKind { GRID_CARTESIAN, GRID_SPHERICAL } GridKind;
typedef enum LayersKind {
    LAYERS_FIXED_HEIGHTS,
    LAYERS_BED_FOLLOWING,
    LAYERS_HYBRID,
    LAYERS_ADAPTIVE
} LayersKind;                            /* levels.kind */
typedef struct ScenarioAdapt {           /* levels.adapt (model/layers/adaptive.h) */
    double density, shear, surface, bed; /* weights; what is missing to 1 is for even layers */
    double zone_m, relaxation_s, every_s, smoothing_cells, thinnest_part;
} ScenarioAdapt;
typedef struct ScenarioGrid {
    GridKind kind;
    double x0_m, y0_m, length_x_m, length_y_m; /* cartesian; the lengths must be whole numbers of cells */
    char *crs;              /* of the metres: "EPSG:32636", a PROJ string or WKT; NULL: they lie nowhere */
    struct Projection *map; /* the same, ready to use; NULL without one (base/projection.h) */
    double west, east, south, north; /* spherical [degrees]; trimmed to whole cells from the SW corner */
    double dx_m, dy_m; /* dy_m absent = dx_m; on a sphere the spacing at the middle latitude, made to fit */
    double dlon_deg, dlat_deg;   /* spherical alternative to dx_m; 0 = absent */
    bool periodic_x, periodic_y; /* "periodic": ["x", "y"] */
    double *interfaces_m; /* levels, ascending, from the lowest to 0 (the datum): n_levels + 1 values [m] */
    int n_levels;         /* from "levels": {"bottom_m": -15, "dz_m": 1} or {"interfaces_m": [...]} */
    int n_interfaces;
    double bottom_m, dz_m; /* the short forms as given, 0 where they were not */
    int layers_wanted;
    double towards_surface, towards_bed;
    LayersKind layers;
    double thinnest_m;    /* of layers along the bed */
    double fixed_above_m; /* hybrid: above this height, one of interfaces_m, layers are at fixed heights */
    ScenarioAdapt adapt;
    int n_fixed;       /* that many of them; 0: another kind */
    double flood_to_m; /* land below this height takes part and can flood; default 0: none */
} ScenarioGrid;

typedef struct ClosingLine { /* [[x, y], [x, y]] */
    double x[2], y[2];       /* [degrees] or [m] as the grid: cells that the line crosses become land */
} ClosingLine;

/* Lines that raise the ground which they cross (model/dikes.h). */
enum { LOWEST_CREST_M = -12000, HIGHEST_CREST_M = 9000 };
typedef struct ScenarioDike {
    char *place;
    double (*line)[2]; /* [degrees or m] */
    int n_line;
    char *file;     /* GeoJSON with lines; NULL: there is one, in `line` */
    char *property; /* of the file's features: height of the crest; NULL: "crest_m" */
    Value crest_m;  /* where the file has no height */
} ScenarioDike;

typedef struct ScenarioBathymetry {
    Value bed_m;           /* bed elevation by formula or constant, positive up; or: */
    char *file;            /* "azov" (shipped), or a file of bathymetry/README.md's formats */
    char *variable;        /* NetCDF variable, NULL: found */
    char *positive;        /* "up" (elevation) | "down" (depth) | NULL: what the file says, refused if it says
                              nothing */
    double datum_offset_m; /* added to the elevations */
    double minimum_depth_m; /* shallower sea is deepened to this; 0: as it is */
    double land_height_m;   /* height given to land whose height the file does not hold; default 10 */
    Value land_m;           /* heights of land by formula, used where the file has land without a height */
    bool land_outside;      /* "outside": "refused" | "land": the area beyond the file */
    ClosingLine *close;
    int n_close;
    bool keep_all; /* "keep": "all" | "connected" (default: only the component of keep_point, or the largest)
                    */
    bool has_keep_point;
    double keep_point[2];
    bool
        subgrid; /* volumes and sections from the map's cells inside the grid's (model/subgrid); default false */
    int pixels; /* of a cell along each side, where bed_m is a formula; 8 */
    ScenarioDike *dikes;
    int n_dikes;
    bool fullness; /* partial areas and face widths from a finer file, default true; false: whole cells */
} ScenarioBathymetry;

typedef struct ScenarioTime {
    double start, end; /* [s since 1970] */
    double duration_s; /* end - start; "duration_s" may stand for "end" */
    /* A run that goes on from a restart file keeps the start of the first run of its chain, from which time counts: */
    double dated_s;      /* where its own "start" stands [s since the start]; 0 otherwise */
    double from_s, to_s; /* the part that is computed, for which there must be forcing [s since the start] */
    double step_s;       /* automatic: the longest */
    bool automatic;      /* "step_s": "auto" */
    bool has_bounds;
    double step_bounds_s[2];                /* automatic: least and greatest; default 1, 300 */
    double step_courant, step_wave_courant; /* their goals: 0.7; 5, 0: any */
} ScenarioTime;

/* The dates from which and to which a run computes [s since 1970]. */
static inline double time_first(const ScenarioTime *time) {
    return time->start + time->from_s;
}

static inline double time_last(const ScenarioTime *time) {
    return time->start + time->to_s;
}

typedef enum Coriolis { CORIOLIS_NONE, CORIOLIS_CONSTANT, CORIOLIS_BY_LATITUDE } Coriolis;
typedef enum MomentumScheme {
    SCHEME_EXPLICIT_Z,
    SCHEME_MATM,
    SCHEME_SPLIT,
    SCHEME_PRESCRIBED
} MomentumScheme;
typedef enum PressureKind { PRESSURE_HYDROSTATIC, PRESSURE_NONHYDROSTATIC } PressureKind;
typedef enum ViscosityLaw { VISCOSITY_CONSTANT, VISCOSITY_SMAGORINSKY } ViscosityLaw;
typedef enum VerticalClosure {
    CLOSURE_CONSTANT,
    CLOSURE_PARABOLIC,
    CLOSURE_AZOV,
    CLOSURE_MIXING_LENGTH,
    CLOSURE_K_EPSILON
} VerticalClosure;
typedef enum StabilityFunctions { STABILITY_CANUTO_A, STABILITY_CHENG } StabilityFunctions;
typedef enum TracerScheme { TRACERS_FCT, TRACERS_UPWIND, TRACERS_VAN_LEER, TRACERS_MATM } TracerScheme;
typedef enum MixAlong { MIX_ALONG_LAYERS, MIX_ALONG_HEIGHTS, MIX_ALONG_DENSITY } MixAlong;
typedef enum DensityEquation {
    DENSITY_CONSTANT,
    DENSITY_LINEAR,
    DENSITY_EOS80,
    DENSITY_TEOS10,
    DENSITY_TEOS10_PRACTICAL
} DensityEquation;
typedef struct ScenarioDensity {
    DensityEquation equation; /* "constant" */
    double reference_kg_m3;   /* linear: of water of the next two; water_density_kg_m3 */
    double reference_temperature_C, reference_salinity; /* 10, 10; also of what the model does not have */
    double expansion_1_K, contraction_kg_g;             /* 1.5e-4, 7.7e-4 */
    bool pressure; /* true: eos80 and teos10 at the pressure of their depth */
} ScenarioDensity;
/* Stems that stand in the water; physics.vegetation */
typedef struct ScenarioVegetation {
    Value stems_m2, height_m; /* absent: none; 1 */
    double diameter_m, cd;    /* 0.01, 1 */
} ScenarioVegetation;
typedef struct ScenarioPhysics {
    PressureKind pressure;         /* pressure: "hydrostatic" */
    double nonhydrostatic_depth_m; /* nonhydrostatic_depth_m: 0.01; thinner water is hydrostatic */
    double breaking;               /* breaking: 0.7; rise of a front over sqrt(g H); 0: none */
    MomentumScheme scheme;         /* momentum.scheme: "explicit-z" */
    Value streamfunction_m3_s;     /* momentum.streamfunction_m3_s: of the prescribed flow */
    Value streamfunction_factor;   /* momentum.streamfunction_factor: 1 */
    double gravity_m_s2;           /* 9.81 */
    double water_density_kg_m3;    /* 1008 */
    ScenarioDensity density;
    Coriolis coriolis;                /* "none" | "by-latitude" | {"f_s": 1e-4, "beta_m_s": 0} */
    double f_s, beta_m_s;             /* beta about the middle of the grid */
    MomentumAdvection advection;      /* momentum.advection: "tvd" */
    int order;                        /* momentum.order: 1 */
    double filter;                    /* momentum.filter: 0.1 */
    int inner_cells;                  /* momentum.inner_cells: 0; of compact6 */
    bool compact_viscosity;           /* momentum.compact_viscosity: false; of compact6 */
    ViscosityLaw viscosity_law;       /* momentum.viscosity_law: "constant" */
    double horizontal_viscosity_m2_s; /* momentum.horizontal_viscosity_m2_s: 0 */
    double smagorinsky_c;             /* momentum.smagorinsky_c: 0.1 */
    double rayleigh_1_s;              /* momentum.rayleigh_1_s: 0 */
    SideWalls side_walls;             /* momentum.side_walls: "free-slip" */
    VerticalClosure closure;          /* turbulence.closure: "k-epsilon" from 3 levels up, else "parabolic" */
    double viscosity_m2_s;            /* turbulence.viscosity_m2_s: the constant, or the floor of the others;
                                         1e-4, 1e-6 where the closure follows the flow */
    double diffusivity_m2_s;          /* turbulence.diffusivity_m2_s: the same of tracers; viscosity_m2_s */
    StabilityFunctions stability;     /* turbulence.stability: "canuto-a" */
    double azov_cs;                   /* turbulence.cs: 0.2 */
    DragLaw drag;                     /* drag.law: "manning" */
    Value manning_n, drag_coefficient, roughness_m; /* drag.n 0.025, drag.cd 2.5e-3, drag.z0_m 1e-3 */
    Value chezy_c;                                  /* drag.c: 65 */
    ScenarioVegetation vegetation;
    TracerScheme tracer_scheme;     /* tracers.scheme: "fct" */
    double tracer_prandtl;          /* tracers.prandtl: 1, of the viscosity that follows the flow */
    double tracer_diffusivity_m2_s; /* tracers.horizontal_diffusivity_m2_s: 0 */
    MixAlong mix_along;             /* tracers.mix_along: "layers" */
    double mix_steepest;            /* tracers.steepest: 0.01, of surfaces of density */
    double theta;                   /* free_surface.theta: 0.6 */
    double full_stress_depth_m; /* free_surface.full_stress_depth_m: thinner water takes a part of the wind
                                   stress; 0.1 */
} ScenarioPhysics;

typedef struct ScenarioInitial {
    Value eta_m, u_m_s, v_m_s;     /* default 0 */
    Value temperature_C, salinity; /* absent: the model has none */
} ScenarioInitial;

/* Something of the user's own in the water. Temperature and salinity are switched on by their initial values.
 */
typedef enum TracerKind { TRACER_DYE, TRACER_AGE, TRACER_SUSPENDED } TracerKind; /* as users choose */
typedef struct ScenarioTracer {
    char *name, *place;
    TracerKind kind;
    char *units; /* "1" */
    Value initial;
    double settling_m_s, decay_1_s;
    /* of suspended matter */
    Value initial_bed_kg_m2;       /* 0 */
    double erosion_kg_m2_s;        /* 0 */
    double critical_erosion_Pa;    /* 0.1 */
    double critical_deposition_Pa; /* 0: settles at any stress */
    /* of a kinetics module's variable; NULL: the user's own */
    const MaeotisVariable *variable;
} ScenarioTracer;

/* "tracers": {"dye": 1.5} of a river or a boundary */
typedef struct NamedValue {
    char *name;
    Value value;
} NamedValue;
/* What lives and reacts in the water. Its variables are tracers behind the user's own. */
typedef struct ScenarioKinetics {
    char *module, *place; /* a name, or the path of a shared library; NULL: nothing reacts */
    char *file;           /* of a model of FABM; NULL: none */
    NamedValue *parameters, *initial, *inputs;
    int n_parameters, n_initial, n_inputs;
    KineticsScheme scheme; /* "patankar-rk2" */
    int every_steps;       /* 1 */
    int most_substeps;     /* 10 */
    bool budgets;          /* gains by processes in the files: false */
    KineticsModule opened;
    double parameter[MAEOTIS_MOST_PARAMETERS]; /* of the module, all */
} ScenarioKinetics;
/* A condition to be watched (model/events/events.h). */
typedef enum EventSide { EVENT_BELOW, EVENT_ABOVE } EventSide;
typedef enum EventPlace { EVENT_AT_BED, EVENT_AT_SURFACE } EventPlace;
typedef struct ScenarioEvent {
    char *name, *place;
    char *variable;
    EventSide when; /* "below" */
    double threshold;
    EventPlace at; /* "bed" */
} ScenarioEvent;
typedef struct ScenarioInflow { /* tracer values of inflowing water; absent: see the table */
    Value temperature_C, salinity;
    NamedValue *tracers;
    int n_tracers;
} ScenarioInflow;

typedef enum WindDrag { /* "constant", "large-pond", "smith-banke", "wu", "garratt", "azov", "coare35" */
                        WIND_DRAG_CONSTANT,
                        WIND_DRAG_LARGE_POND,
                        WIND_DRAG_SMITH_BANKE,
                        WIND_DRAG_WU,
                        WIND_DRAG_GARRATT,
                        WIND_DRAG_AZOV,
                        WIND_DRAG_COARE35
} WindDrag;
typedef enum WaterType { WATER_I, WATER_IA, WATER_IB, WATER_II, WATER_III, WATER_OTHER } WaterType;
typedef struct ScenarioAir {                        /* the exchange with the air; all absent: none */
    Value air_temperature_C, dew_point_C, humidity; /* heat.: with them the bulk formulae */
    double air_height_m, humidity_height_m;         /* heat.: 2, where these are measured */
    Value shortwave_W_m2, longwave_W_m2;            /* heat.: downwards */
    Value net_W_m2;                                 /* heat.: added to the rest, at the surface */
    char *heat_file;        /* heat.file: gridded NetCDF with the other quantities (t2m, d2m, ssrd, strd) */
    BulkLaw bulk;           /* heat.bulk: "coare35" */
    bool cool_skin;         /* heat.cool_skin: true, with coare35 */
    Value cloudiness;       /* heat.cloudiness: 0.5, where the long waves are not given */
    SkyLaw sky;             /* heat.longwave_law: "berliand", from the cloudiness */
    double albedo;          /* heat.albedo: 0.06 */
    double capacity_J_kg_K; /* heat.capacity_J_kg_K: 3991.87 */
    WaterType water_type;   /* heat.water_type: "III" */
    double red_part, red_m, blue_m; /* heat.light.: of "other" */
    Value rain_mm_h;                /* rain.mm_h */
    char *rain_file;                /* or rain.file: gridded NetCDF (tp) */
    Value evaporation_mm_h;         /* evaporation.mm_h: beside that of the latent heat */
    bool evaporation_of_heat;       /* evaporation.of_heat: true */
} ScenarioAir;
typedef struct ScenarioWaves {                    /* made by the wind; no height and no file: none */
    char *file;                                   /* gridded NetCDF with those that are not given here */
    Value height_m, peak_period_s, mean_period_s; /* one of the periods */
    Value from_deg;
    bool from_wind;           /* false */
    WaveGrowth growth;        /* "young-verhagen" */
    double bed_roughness_m;   /* 1e-3, where the drag law has none */
    double most_of_depth;     /* 0.55: of the height */
    bool stokes_drift;        /* true */
    double surface_roughness; /* 0.5: of the height */
    double breaking_flux;     /* 100: of u*^3 */
} ScenarioWaves;
typedef struct ScenarioTidalPotential {
    char **constituents; /* NULL: none */
    int n_constituents;
    double self_attraction; /* 0: a part of the level */
    bool nodal_corrections; /* true */
    double ramp_s;          /* 43200 */
} ScenarioTidalPotential;
typedef struct ScenarioForcing {
    Value wind_u_m_s, wind_v_m_s;        /* wind.u_m_s, wind.v_m_s: constants, formulas */
    Value wind_speed_m_s, wind_from_deg; /* or wind.speed_m_s and wind.from_deg (where it blows from) */
    char *wind_file;      /* or wind.file: CSV (time,u,v or time,speed,from) or gridded NetCDF (u10, v10) */
    double wind_factor;   /* wind.factor: 1, multiplies the speed */
    double wind_height_m; /* wind.height_m: 10, where the wind is measured */
    Value stress_x_Pa, stress_y_Pa; /* or wind.stress_x_Pa, wind.stress_y_Pa: the stress itself */
    WindDrag drag;                  /* wind.drag.law: "coare35" */
    double drag_constant;           /* wind.drag.cd: 1.3e-3 for "constant" */
    Value drag_factor;              /* wind.drag.factor: 1, multiplies the drag coefficient */
    double drag_cap_m_s;            /* wind.drag.cap_m_s: 33; the drag coefficient grows no further beyond */
    double air_density_kg_m3;       /* wind.air_density_kg_m3: 1.22 */
    Value air_pressure_Pa;          /* air_pressure.Pa: constant, formula, file */
    char *air_pressure_file;        /* or air_pressure.file: gridded NetCDF (msl) */
    ScenarioAir air;
    ScenarioWaves waves;
    ScenarioTidalPotential potential;
    double ramp_s; /* ramp_s: stress grows linearly from 0 over this time; 0 */
} ScenarioForcing;

typedef struct ScenarioRiver {
    char *name, *place;
    double x, y; /* lon, lat [degrees] or x_m, y_m [m] as the grid */
    Value discharge_m3_s;
    ScenarioInflow inflow;
} ScenarioRiver;

typedef enum RiverMapQuantity { RIVERS_DISCHARGE, RIVERS_RUNOFF } RiverMapQuantity;
typedef struct ScenarioRiverMap {
    char *name, *place, *file, *variable; /* variable NULL: found by its names */
    RiverMapQuantity quantity;
    double least_m3_s;
    ScenarioInflow inflow;
} ScenarioRiverMap;

/* One wave of a tide: A cos(V + u - phase), see model/boundary/tide.h. */
/* "M2", ...; NULL at the end. */
enum { TIDES = 35 };
extern const char *const tide_names[TIDES + 1];

typedef struct ScenarioTide {
    char *place;
    char *constituent; /* "M2"; NULL: */
    double period_s;   /* of a wave of its own, whose phase counts from the start */
    Value amplitude_m, phase_deg;
    Value velocity_amplitude_m_s, velocity_phase_deg; /* inwards */
} ScenarioTide;

typedef enum BoundaryKind {
    BOUNDARY_ELEVATION,
    BOUNDARY_FLATHER,
    BOUNDARY_CHAPMAN,
    BOUNDARY_RADIATION,
    BOUNDARY_VELOCITY,
    BOUNDARY_DISCHARGE
} BoundaryKind;
typedef enum Edge { EDGE_WEST, EDGE_EAST, EDGE_SOUTH, EDGE_NORTH, EDGE_ALL, EDGE_REST, EDGE_LINE } Edge;
typedef struct ScenarioBoundary {
    char *name, *place;
    Edge edge;
    double (*line)[2]; /* "edge": "line": points of a line inside the grid [degrees or m] */
    int n_line;
    bool has_range;
    double range[2]; /* along the edge: lon or lat [degrees], x or y [m]; whole edge if absent */
    bool has_box;
    double box[4]; /* west, east, south, north: open where the cells inside lie in it */
    BoundaryKind kind;
    char *file;  /* NetCDF: of all that is outside and has no value of its own; NULL: none */
    bool cubic;  /* "time_interpolation": "linear" | "cubic", of levels and velocities from NetCDF files */
    Value eta_m; /* outer level */
    Value velocity_m_s;   /* flather: outer velocity, velocity: that of the face; positive into the grid */
    bool of_nest;         /* its file is that of /nest, whose walls are walls here, too */
    bool incoming_wave;   /* flather: eta_m and tide are an incoming wave, with its velocity */
    Value discharge_m3_s; /* discharge: of the whole boundary, positive into the grid */
    bool by_width;        /* "distribution": "width" | "conveyance" (default, width times depth^1.5) */
    ScenarioTide *tide;
    int n_tide;
    char **atlas; /* tide_atlas.files: files or folders; NULL: none */
    int n_atlas;
    char **atlas_tides; /* tide_atlas.constituents; NULL: all that it holds */
    int n_atlas_tides;
    bool nodal;                               /* "nodal_corrections": true */
    double tide_ramp_s;                       /* 43200 */
    double relaxation_in_s, relaxation_out_s; /* chapman, radiation: 0: none */
    double sponge_width_m, sponge_time_s;
    int zone_cells;     /* relaxation_zone: towards what is given outside; 0: none */
    double zone_time_s; /* 0: by the records of the file */
    ScenarioInflow inflow;
    double inflow_relaxation_s; /* time scale from the last outflow values to the given ones */
} ScenarioBoundary;

/* Rain that soaks away (model/infiltration/infiltration.h); absent values: none. */
typedef enum InfiltrationLaw {
    INFILTRATION_NONE,
    INFILTRATION_CONSTANT,
    INFILTRATION_HORTON,
    INFILTRATION_GREEN_AMPT,
    INFILTRATION_CURVE_NUMBER
} InfiltrationLaw;
typedef struct ScenarioInfiltration {
    InfiltrationLaw law;
    Value rate_mm_h, first_mm_h, decay_1_h, suction_mm, deficit, curve_number;
    double initial_part; /* 0.2: of the curve number's storage */
    Value interception_mm, drains_mm_h;
    double above_m; /* 0: of the bed above the datum */
} ScenarioInfiltration;

/* What stands in the water (model/structures/structures.h). */
typedef enum StructureKind {
    STRUCTURE_DAM,
    STRUCTURE_WEIR,
    STRUCTURE_GATE,
    STRUCTURE_CULVERT,
    STRUCTURE_PUMP
} StructureKind;
typedef struct ScenarioStructure {
    char *name, *place;
    StructureKind kind;
    double (*line)[2]; /* its points [degrees or m] */
    int n_line;
    char *file;    /* GeoJSON with the line; NULL: it is in `line` */
    Value crest_m; /* weir: its height above the datum; gate: of its sill; absent: the bed */
    Value opening; /* gate: 0: closed, 1: open; absent: by its rule */
    double leaf_m; /* gate: height to which its leaf lifts; 0: it opens over its whole height */
    bool has_rule, has_breach;
    double station[2]; /* "rule": where its level is read [degrees or m] */
    double close_above_m, open_below_m, close_s, open_s;
    double breach_at[2]; /* "breach": its middle [degrees or m] */
    double breach_width_m, breach_lowest_m, breach_growth_s;
    double breach_start_s, breach_above_m; /* whichever comes first */
    double free_coefficient[2],
        drowned_coefficient[2]; /* along the normal, to the right of the line; against it */
    /* culvert, from the first point of the line to the last */
    double culvert_m[2]; /* its width and height */
    bool has_size, has_inverts;
    int barrels;
    double invert_m[2]; /* of both ends; default: the beds */
    double culvert_n, inlet_loss;
    bool flap; /* lets nothing back */
    /* pump, likewise */
    Value capacity_m3_s;
    double start_above_m, stop_below_m; /* levels at its inlet; PUMP_ALWAYS: it runs at all */
} ScenarioStructure;
#define PUMP_ALWAYS (-12000.0)

/* Relaxation of a tracer towards given values. */
typedef struct ScenarioNudging {
    char *variable, *place;
    Value to;
    Value time_s;    /* of place */
    double width_m;  /* of a zone in front of open edges; 0: everywhere */
    int in_front_of; /* 1 + the number of a boundary, whose edges alone count; 0: all */
    bool cubic;      /* as of boundaries */
    bool of_sponge;  /* whatever the records */
    bool has_box;
    double box[4]; /* west, east, south, north */
} ScenarioNudging;

enum { STATION_NAME_BYTES = 64 }; /* room for a station's name in output files, with the zero at its end */
typedef struct ScenarioStation {
    char *name;
    double x, y;
} ScenarioStation;

/* Auto: CDF-2 where it holds the variables, else CDF-5. */
typedef enum OutputFormat { FORMAT_AUTO, FORMAT_CDF2, FORMAT_CDF5 } OutputFormat;

/* Where u and v of maps lie: at the centres of cells, along east and north, or on their faces. */
typedef enum OutputVelocities { VELOCITIES_CENTRES, VELOCITIES_FACES } OutputVelocities;

/* Where extremes begin: at /time/start, or at the start of the first run of a chain. */
typedef enum OutputSince { SINCE_START, SINCE_CHAIN } OutputSince;

typedef enum OutputKind { OUTPUT_FIELDS, OUTPUT_STATIONS, OUTPUT_EXTREMES, OUTPUT_HARMONICS } OutputKind;
typedef struct ScenarioOutput {
    OutputKind kind; /* by the key that is there: "variables", "stations" or "structures", "extremes", ... */
    char *file; /* in the output folder; "{scenario}" and "{start}" are already replaced; default by kind */
    char *place;
    double every_s; /* extremes: 0 = once, at the end */
    char **names;   /* variables or extremes; for stations the variables, default ["eta", "u", "v"] */
    int n_names;
    char **harmonics; /* tidal constituents */
    int n_harmonics;
    double from_s; /* harmonics: start of the analysis; 0: after the ramp of the boundaries' tides */
    bool mean;     /* means over the interval instead of snapshots */
    bool has_box;
    double box[4]; /* west, east, south, north; [degrees] or [m] as the grid */
    int *levels;   /* level numbers from the surface down, 0 = surface; NULL: all */
    int n_levels;
    OutputFormat format;
    OutputVelocities velocities;
    CalendarPart cut;  /* a file for each day, month or year */
    OutputSince since; /* extremes */
    ScenarioStation *stations;
    int n_stations;
    bool structures; /* series of all structures; a file of stations, whose stations they are */
} ScenarioOutput;

/* The end of the part of a cut output that holds `time`, counted like it from `start` [s]; INFINITY: it is not cut. */
double output_part_end(const ScenarioOutput *output, double start, double time);

/* The end of the stem of its file's name, after which a part has its date; the ending follows. */
const char *output_ending(const ScenarioOutput *output);

/* A part of the sea on a finer grid, in the same run and in both directions (model/seam/seam.h). */
typedef struct ScenarioZoom {
    bool has_box;  /* false: none */
    double box[4]; /* west, east, south, north, moved to the nearest edges of cells */
    double finer;  /* 3 or 5: cells in place of one, along x and along y, and steps in place of one */
    Value bed_m;   /* bed of the finer grid, or: */
    char *file, *variable, *positive; /* its map; NULL and no bed_m: as the scenario's bathymetry */
    double minimum_depth_m;           /* 0: as there */
    ScenarioOutput *outputs;
    int n_outputs;
} ScenarioZoom;

/* Who made the run and on which terms: global attributes of all files (ACDD), by the same names. */
typedef struct ScenarioAbout {
    char *id, *naming_authority, *creator_name, *creator_email, *creator_url, *institution, *project,
        *license, *acknowledgement, *references;
} ScenarioAbout;

/* A date, or a time of every day. */
typedef struct ScenarioMoment {
    double seconds; /* since 1970-01-01T00:00:00Z, or of the day */
    bool daily;
} ScenarioMoment;

/* The first of the moments after `time`, counted like it from `start` [s]; INFINITY: there is none. */
double moments_next(const ScenarioMoment *moments, int n_moments, double start, double time);

typedef struct ScenarioRestart {
    double every_s;     /* 0: only at named times, on request (signals) and at the end if "at_end" */
    ScenarioMoment *at; /* named times; NULL: none */
    int n_at;
    int keep;    /* 2, besides those of named times */
    bool at_end; /* false */
} ScenarioRestart;

typedef enum SurfaceMethod { SURFACE_MATM, SURFACE_CG } SurfaceMethod;
typedef enum Precision { PRECISION_AUTO, PRECISION_DOUBLE, PRECISION_SINGLE } Precision; /* as of MATM */

/* The steps of MATM: the fastest, those of the paper, least residual. */
typedef enum MatmVariant { VARIANT_AUTO, VARIANT_PAPER, VARIANT_LEAST_RESIDUAL } MatmVariant;
typedef enum LinesMethod { LINES_ARE_EXACT, LINES_ARE_DECOUPLED } LinesMethod;

typedef struct ScenarioSolver {
    LinesMethod lines_method; /* lines.method: "exact" */
    double lines_tolerance;   /* lines.tolerance: 1e-12, of "decoupled" */
    int lines_blocks;         /* lines.blocks: 0: chosen */
    int lines_levels;         /* lines.levels: 0: chosen */
    int momentum_column_blocks,
        tracers_column_blocks; /* momentum.column_blocks, tracers.column_blocks: 0: whole columns */
    MatmVariant surface_variant, momentum_variant, pressure_variant, tracers_variant; /* "auto" */
    SurfaceMethod surface_method; /* surface.method: "matm" */
    Precision surface_precision;  /* surface.precision: "auto" */
    double surface_tolerance;     /* surface.tolerance: relative residual, 1e-10 */
    int surface_max_iterations;   /* surface.max_iterations: 2000 */
    Precision momentum_precision; /* momentum.precision: "auto" */
    double momentum_tolerance;    /* momentum.tolerance: the same of the momentum equations, 1e-8 */
    int momentum_max_iterations;  /* momentum.max_iterations: 1000 */
    double pressure_tolerance;    /* pressure.tolerance: of the non-hydrostatic pressure, 1e-7 */
    int pressure_max_iterations;  /* pressure.max_iterations: 1000 */
    double tracers_tolerance;     /* tracers.tolerance: of their implicit transport, 1e-10 */
    int tracers_max_iterations;   /* tracers.max_iterations: 2000 */
    int ranks_x, ranks_y;         /* ranks: [px, py]; 0, 0: chosen */
    CutKind cuts;                 /* cuts: "auto" (numerics/grid/cuts.h) */
    int patch;                    /* patch: edge of the squares within which sweeps stay [cells]; 0: none */
    double *speeds;               /* speeds: of each rank; NULL: all alike */
    int n_speeds;
    char *device;           /* "cpu", "gpu", "auto" or "emu" (gpu/device.h) */
    const Machine *machine; /* under the run, not of its text, and not owned; NULL: one of today */
} ScenarioSolver;

typedef struct Scenario {
    char *path; /* of the file */
    char *name; /* the file's name without folder and ending */
    char *title;
    ScenarioAbout about;
    char *text;   /* as read, comments included; goes into the output */
    char **allow; /* doubts that do not stop the run (doubt.h) */
    int n_allow;
    ScenarioGrid grid;
    ScenarioBathymetry bathymetry;
    ScenarioTime time;
    ScenarioPhysics physics;
    ScenarioInitial initial;
    ScenarioTracer *tracers;
    int n_tracers, n_own_tracers; /* all; the user's own, which come first */
    ScenarioKinetics kinetics;
    ScenarioEvent *events;
    int n_events;
    ScenarioForcing forcing;
    ScenarioInfiltration infiltration;
    ScenarioRiver *rivers;
    int n_rivers;
    ScenarioRiverMap *river_maps;
    int n_river_maps;
    ScenarioBoundary *boundaries;
    int n_boundaries;
    ScenarioStructure *structures;
    int n_structures;
    char *nest; /* output of a coarser run: it is outside of all edges, and the initial state; NULL: none */
    ScenarioNudging *nudging;
    int n_nudging;
    ScenarioZoom zoom;
    ScenarioSolver solver;
    ScenarioOutput *outputs;
    int n_outputs;
    ScenarioRestart restart;
    double output_dry_depth_m;
    char *output_folder; /* "output_folder": default "results/<name>" under the current folder */
    bool folder_made;    /* for this run alone, by --new-folder */
    bool keeps_tables;   /* of the ground inside cells, in a file: of runs that write any (subgrid/kept.h) */
    bool is_zoom;        /* of the finer grid of another scenario's zoom */
} Scenario;

/* The finer grid of a zoom. */
typedef struct ZoomGrid {
    int nx, ny;
    double west, south, step_x, step_y; /* [degrees or m] */
    double north_of_middle_m;           /* from the middle of the grid around it to its own */
} ZoomGrid;

/* Reads, applies `n_overrides` settings such as "/physics/drag/n=0.03" (command line: --set), and checks. All
 * mistakes of the file are raised, each with file:line:column, JSON pointer, what was found, what is allowed
 * and the nearest known key. Files that the scenario names must exist (relative to the scenario's folder,
 * also in overrides); nothing on disk is written. A setting with a question mark before it holds where the file says nothing.
 * Local: rank 0 calls it ... */
CHECKED Status scenario_read(const char *path, const char *const *overrides, int n_overrides, Scenario **out);

/* ... or every rank does, on text that was broadcast: the same, but no file is looked for. `path` is for
 * messages and relative file names. */
CHECKED Status scenario_parse(const char *path, const char *text, const char *const *overrides,
                              int n_overrides, Scenario **out);
void scenario_destroy(Scenario **scenario);

/* The scenario of the finer grid of a zoom. Local. */
CHECKED Status scenario_zoom(const Scenario *scenario, const ZoomGrid *grid, Scenario **out);

static inline bool zoom_holds(const ZoomGrid *grid, double x, double y) {
    return x >= grid->west && x < grid->west + grid->nx * grid->step_x && y >= grid->south &&
           y < grid->south + grid->ny * grid->step_y;
}

/* Are there systems along lines in x and y: of the scheme "split" with a viscosity, of tracers that mix along the
 * layers, unless that is surely too weak, of "compact6"? */
bool scenario_has_lines(const Scenario *scenario);

/* How many of them a cell is in, in a step: for speeds, not to the last one. */
double scenario_line_solves(const Scenario *scenario);

/* The longest step that compact viscosity bears [s]; infinite without. */
double scenario_compact_step(const Scenario *scenario);

/* The scenario with every default filled in, as JSON text (memory_free); reading it from the same folder
 * gives the same scenario, and again the same text. */
char *scenario_effective(const Scenario *scenario);

/* The JSON Schema (2020-12) of scenario files, as text (memory_free). */
char *scenario_schema(void);

/* The same for people: a line and an explanation for each key, then the variables of outputs. `which`: only a key and those
 * below it, "/forcing/wind", or those whose path holds a word; nothing if there is none. To be freed. */
char *scenario_keys(const char *which);

#endif
