package io.datasetlisting.write.sample;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * A real place where generated datasets lie.
 *
 * @param name
 *            in the script of its country
 * @param radius
 *            kilometres around the place
 * @param categories
 *            that fit the place, the main one first
 */
record SampleSite(String name, double latitude, double longitude, double radius, List<String> categories) {

    private static final double KILOMETRES_OF_A_DEGREE = 111.32;

    /** Each line has the components. Sites in the sea are at most ten kilometres from the coast. */
    static final List<SampleSite> ALL = """
            Aokigahara|35.47|138.65|3|Forest
            Białowieża|52.72|23.87|8|Forest
            Black Forest|48.0|8.05|8|Forest,Grassland
            Bwindi|-1.05|29.65|6|Forest
            Daintree|-16.17|145.3|4|Forest
            Hambacher Forst|50.87|6.53|3|Forest,Artificial - terrestrial
            Khao Yai|14.44|101.37|6|Forest,Grassland
            Manú|-11.9|-71.4|8|Forest,Wetlands
            Salonga|-2.0|21.0|8|Forest
            Sequoia Grove|36.57|-118.75|4|Forest,Rocky
            Flint Hills|38.43|-96.56|8|Grassland
            Hortobágy|47.58|21.15|6|Grassland,Wetlands
            Khustain Nuruu|47.7|105.9|8|Grassland,Shrubland
            La Pampa|-36.6|-64.3|8|Grassland
            Orkhon Valley|47.2|102.8|6|Grassland,Rocky
            Chapada dos Veadeiros|-14.08|-47.65|6|Savanna,Shrubland
            Etosha|-18.93|15.9|8|Savanna,Desert
            Kakadu|-13.1|132.6|8|Savanna,Wetlands
            Kruger|-24.0|31.5|8|Savanna,Shrubland
            Maasai Mara|-1.49|35.14|8|Savanna,Grassland
            Serengeti|-2.33|34.83|8|Savanna,Grassland
            Erg Chebbi|31.15|-3.98|4|Desert
            Khongoryn Els|43.77|102.3|6|Desert,Grassland
            Simpson Desert|-25.0|137.0|8|Desert,Shrubland
            Sossusvlei|-24.73|15.29|6|Desert
            Valle de la Luna|-22.92|-68.29|5|Desert,Rocky
            Wadi Rum|29.57|35.42|6|Desert,Rocky
            White Sands|32.79|-106.32|6|Desert
            Causse Méjean|44.27|3.45|6|Rocky,Grassland
            Dolomiti|46.62|12.3|3|Rocky,Forest
            Fjærland|61.41|6.76|3|Rocky,Forest
            Jökulsárlón|64.07|-16.23|2|Rocky,Intertidal
            Meteora|39.72|21.63|3|Rocky,Shrubland
            Tagliamento|46.2|12.95|3|Rocky,Wetlands
            Torres del Paine|-50.95|-72.95|6|Rocky,Grassland
            Zion|37.25|-112.95|5|Rocky,Desert
            Cederberg|-32.4|19.1|6|Shrubland,Rocky
            Garrigue de Nîmes|43.87|4.35|4|Shrubland
            Los Padres|34.65|-119.4|6|Shrubland,Forest
            Lüneburger Heide|53.17|9.94|6|Shrubland,Grassland
            Biebrza|53.45|22.6|6|Wetlands,Grassland
            Camargue|43.53|4.55|5|Wetlands,Intertidal
            Doñana|37.02|-6.43|5|Wetlands,Shrubland
            Everglades|25.75|-80.75|8|Wetlands,Grassland
            Loire, Chambord|47.62|1.51|3|Wetlands,Other
            Okavango|-19.3|22.9|8|Wetlands,Savanna
            Pantanal|-17.5|-57.0|8|Wetlands,Savanna
            Rhein, Speyer|49.32|8.46|3|Wetlands,Other
            Alter do Chão|-2.52|-54.97|4|Forest,Wetlands
            Bingham Canyon|40.52|-112.15|2|Artificial - terrestrial,Rocky
            Garzweiler quarry|51.06|6.5|3|Artificial - terrestrial,Rocky
            Tempelhofer Feld|52.474|13.402|1|Artificial - terrestrial,Grassland
            Flevopolder|52.5|5.6|4|Other,Artificial - terrestrial
            Huerta de Valencia|39.5|-0.42|3|Other
            Napa Valley|38.45|-122.38|4|Other,Shrubland
            Saint-Émilion|44.89|-0.16|3|Other
            Val di Non|46.33|11.05|4|Other,Forest
            Bay of Fundy|45.82|-64.57|2|Intertidal,Rocky
            Giant's Causeway|55.24|-6.51|2|Intertidal,Rocky
            Høje Møn|54.97|12.54|2|Intertidal,Forest
            Île de Ré|46.2|-1.4|4|Intertidal,Neritic
            Mont-Saint-Michel|48.64|-1.52|4|Intertidal,Wetlands
            Moreton Bay|-27.45|153.18|3|Intertidal,Wetlands
            Wattenmeer, Büsum|54.14|8.8|4|Intertidal,Neritic
            Cabo de Gata|36.73|-2.2|2|Neritic,Rocky
            Great Barrier Reef|-16.25|145.48|3|Neritic,Oceanic
            Pointe du Raz|48.04|-4.73|2|Neritic,Rocky
            Kona Coast|19.63|-156.03|3|Oceanic,Neritic
            Kaikōura Canyon|-42.5|173.59|2|Deep ocean floor,Oceanic
            Monterey Canyon|36.79|-121.84|3|Deep ocean floor,Oceanic
            Nazaré Canyon|39.6|-9.12|3|Deep ocean floor,Oceanic
            Байкал|51.86|104.87|4|Rocky,Forest
            Дельта Волги|46.2|48.4|8|Wetlands
            Κρήτη|35.24|24.9|6|Shrubland,Rocky
            חוף הכרמל|32.72|34.94|2|Intertidal,Neritic
            دلتا النيل|31.05|31.1|8|Wetlands,Other
            सुंदरबन|21.95|88.9|6|Wetlands,Forest,Intertidal
            ป่าชายเลน|8.05|98.9|3|Intertidal,Wetlands
            東京湾|35.65|139.97|2|Neritic,Intertidal
            桂林 漓江|24.93|110.5|4|Rocky,Forest
            한강 하구|37.75|126.6|3|Intertidal,Wetlands
            🛰 test flight|52.32|10.56|2|Artificial - terrestrial
            """.lines().map(SampleSite::parse).toList();

    private static SampleSite parse(String line) {
        String[] parts = line.split("\\|");
        return new SampleSite(parts[0], Double.parseDouble(parts[1]), Double.parseDouble(parts[2]),
                Double.parseDouble(parts[3]), List.of(parts[4].split(",")));
    }

    /**
     * A point of the site, as latitude and longitude.
     *
     * @param distance
     *            from the middle, as the share of the area that is nearer
     * @param direction
     *            as a share of a full turn
     */
    double[] point(double distance, double direction) {
        double degrees = radius * Math.sqrt(distance) / KILOMETRES_OF_A_DEGREE;
        double angle = 2 * Math.PI * direction;
        return new double[]{round(latitude + degrees * Math.cos(angle)),
                round(longitude + degrees * Math.sin(angle) / Math.cos(Math.toRadians(latitude)))};
    }

    /** Rounds to six decimals, about a tenth of a metre in degrees. */
    static double round(double value) {
        return BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_EVEN).doubleValue();
    }
}
